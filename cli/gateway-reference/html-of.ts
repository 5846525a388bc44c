/** The HTML of a reference page. It knows the Markdown that these pages use: headings, paragraphs, tables and code. */
export function htmlOf(markdown: string): string {
  return markdown
    .trim()
    .split(/\n{2,}/)
    .map(blockOf)
    .join('\n')
}

function blockOf(block: string): string {
  const heading = /^(#{1,3}) (.*)$/.exec(block)
  if (heading) {
    const [, { length: level } = '', text = ''] = heading
    return `<h${level}>${inline(text)}</h${level}>`
  }
  return block.startsWith('| ') ? tableOf(block.split('\n')) : `<p>${inline(block)}</p>`
}

function tableOf([head = '', , ...rows]: readonly string[]): string {
  const row = (line: string, cell: 'td' | 'th'): string =>
    `<tr>${cellsOf(line)
      .map((text) => `<${cell}>${inline(text)}</${cell}>`)
      .join('')}</tr>`
  return `<table>\n${[row(head, 'th'), ...rows.map((line) => row(line, 'td'))].join('\n')}\n</table>`
}

const cellsOf = (line: string): readonly string[] =>
  line
    .replace(/^\| /, '')
    .replace(/ \|$/, '')
    .split(/ \| /)
    .map((cell) => cell.replaceAll(String.raw`\|`, '|'))

function inline(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}
