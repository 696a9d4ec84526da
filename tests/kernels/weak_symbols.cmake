# Fails if an object file of the per-instruction-set sources defines a weak symbol:
#     cmake -DNM=nm -DOBJECTS=a.o,b.o -P weak_symbols.cmake
# The linker keeps one of all weak definitions of a name (inline functions, templates). If the one it
# keeps was compiled for AVX-512, every other caller runs AVX-512, on processors that have none, too.
string(REPLACE "," ";" objects "${OBJECTS}")
list(LENGTH objects count)
if(count EQUAL 0)
  message(FATAL_ERROR "no object files to look at")
endif()
foreach(object IN LISTS objects)
  execute_process(COMMAND ${NM} -C ${object} OUTPUT_VARIABLE symbols RESULT_VARIABLE result)
  if(NOT result EQUAL 0 OR NOT symbols MATCHES "attn::")
    message(FATAL_ERROR "${NM} cannot read ${object}")
  endif()
  string(REGEX MATCHALL "[^\n]* [WVu] [^\n]*" weak "${symbols}")
  if(weak)
    string(REPLACE ";" "\n  " weak "${weak}")
    message(FATAL_ERROR "weak symbols in ${object}:\n  ${weak}\n"
                        "make these functions static, or do not include their header")
  endif()
endforeach()
message(STATUS "${count} object files without weak symbols")
