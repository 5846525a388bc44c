/** The HTML of a reference page. It knows the Markdown that these pages use: headings, paragraphs, tables and code. A table that is wider than its
 * reader's window scrolls by itself. */
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
  const code = /^```\n([^]*)\n```$/.exec(block)?.[1]
  if (code !== undefined) return `<pre tabindex="0"><code>${escaped(code)}</code></pre>`
  return block.startsWith('| ') ? tableOf(block.split('\n')) : `<p>${inline(block)}</p>`
}

function tableOf([head = '', , ...rows]: readonly string[]): string {
  const row = (line: string, cell: 'td' | 'th'): string =>
    `<tr>${cellsOf(line)
      .map((text) => `<${cell}>${inline(text)}</${cell}>`)
      .join('')}</tr>`
  return `<div class="scroll" tabindex="0">\n<table>\n${[row(head, 'th'), ...rows.map((line) => row(line, 'td'))].join('\n')}\n</table>\n</div>`
}

const cellsOf = (line: string): readonly string[] =>
  line
    .replace(/^\| /, '')
    .replace(/ \|$/, '')
    .split(/ \| /)
    .map((cell) => cell.replaceAll(String.raw`\|`, '|'))

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function inline(text: string): string {
  return escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}
