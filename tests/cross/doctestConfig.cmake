# doctest for a cross compiler: its header alone, since the other headers of the folder that it is
# installed in are another system's.
if(NOT TARGET doctest::doctest)
  find_file(DOCTEST_HEADER doctest/doctest.h
            PATHS /usr/include /usr/local/include /opt/homebrew/include NO_CMAKE_FIND_ROOT_PATH)
  file(COPY ${DOCTEST_HEADER} DESTINATION ${CMAKE_BINARY_DIR}/include/doctest)
  add_library(doctest::doctest INTERFACE IMPORTED)
  target_include_directories(doctest::doctest INTERFACE ${CMAKE_BINARY_DIR}/include)
endif()
