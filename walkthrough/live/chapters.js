// Which chapter explains what is seen: links from sections of the paper to files of the book.
'use strict';

const chapters = {
  '0': ['0-first-run.md', 'First run'],
  'grow': ['grow/README.md', 'Grow a Transformer'],
  '3': ['3-model-architecture.md', 'Model architecture'],
  '3.1': ['3.1-stacks.md', 'Stacks'],
  '3.2': ['3.2-attention.md', 'Attention'],
  '3.2.1': ['3.2.1-scaled-dot-product-attention.md', 'Scaled dot-product attention'],
  '3.2.2': ['3.2.2-multi-head-attention.md', 'Multi-head attention'],
  '3.2.3': ['3.2.3-three-uses.md', 'Three uses'],
  '3.3': ['3.3-feed-forward.md', 'Feed-forward'],
  '3.4': ['3.4-embeddings-and-softmax.md', 'Embeddings and softmax'],
  '3.5': ['3.5-positions.md', 'Positions'],
  '3.5.1': ['3.5.1-copy-and-reverse-by-hand.md', 'Copy and reverse by hand'],
  '5.1': ['5.1-data-and-batching.md', 'Data and batching'],
  '5.2': ['5.2-hardware-and-schedule.md', 'Hardware and schedule'],
  '5.3': ['5.3-optimizer.md', 'Optimizer'],
  '5.4': ['5.4-regularisation.md', 'Regularisation'],
  '6.1': ['6.1-translation.md', 'Translation'],
  '7': ['7-conclusion.md', 'Conclusion'],
  'C': ['C-backpropagation.md', 'Backpropagation'],
  'G': ['G-diagnosis.md', 'Diagnosis'],
};

// Away from the book's folder, such as alone on a disk, the page only names the chapters.
const besideBook = /\/walkthrough\/[^/]*$/.test(location.pathname);

function chapterLink(number, words, anchor = '') {
  const [file, title] = chapters[number];
  return element('a', {href: besideBook ? file + anchor : null}, words ?? `${number} ${title}`);
}

// Links for "§3.4, §3.5" or "§3.2.1, eq. (1)".
function sectionLinks(section) {
  const numbers = [...section.matchAll(/§(\d+(?:\.\d+)*)/g)].map((match) => match[1]);
  return numbers.filter((number) => chapters[number])
      .flatMap((number, i) => [i > 0 ? ', ' : null, chapterLink(number)]);
}

// The links that page.html marks with data-chapter.
function fillChapterLinks() {
  for (const link of document.querySelectorAll('a[data-chapter]')) {
    const [file, title] = chapters[link.dataset.chapter];
    link.href = file;
    if (!link.textContent) link.textContent = `${link.dataset.chapter} ${title}`;
  }
  if (!besideBook) document.querySelectorAll('a:not(.skip)').forEach((link) => link.removeAttribute('href'));
}
