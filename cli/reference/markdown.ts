/** A Markdown table. Its cells are not padded, so that a longer cell changes one line. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [heads, heads.map(() => '---'), ...rows.map((row) => row.map(inCell))]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Text as code. */
export function code(text: string): string {
  return `\`${text}\``
}

/** Names as code, in a row. */
export function codes(names: readonly string[]): string {
  return names.map(code).join(', ')
}

/** The parts of a page, with an empty line between each two. */
export function page(...parts: readonly string[]): string {
  return `${parts.join('\n\n')}\n`
}

function inCell(text: string): string {
  return text.replaceAll('|', String.raw`\|`).replaceAll('\n', ' ')
}
