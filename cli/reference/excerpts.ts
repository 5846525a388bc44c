/**
 * Writes into a page what the code says now. A page names code in a comment before a fence:
 *
 *     <!-- code: domain/invite/invite.ts: function create( -->
 *
 * The excerpt begins with the one line of the file that begins with this text, and goes to the line that closes it; with
 * `(3 lines)` at the end of the comment it has so many. Throws where no line, or more than one, begins so.
 */
export function withExcerpts(page: string, read: (file: string) => string): string {
  return page.replaceAll(marked, (_, comment: string, file: string, begin: string, count: string | undefined) => {
    const lines = read(file).split('\n')
    return `${comment}\n\n\`\`\`ts\n${dedented(excerptOf(lines, { file, begin, count })).join('\n')}\n\`\`\``
  })
}

const marked = /(<!-- code: (\S+): (.+?)(?: \((\d+) lines\))? -->)\n\n```ts\n[^]*?```/g

interface Mark {
  readonly file: string
  readonly begin: string
  readonly count: string | undefined
}

function excerptOf(lines: readonly string[], { file, begin, count }: Mark): readonly string[] {
  const [first, ...others] = lines.flatMap((line, index) => (line.trimStart().startsWith(begin) ? [index] : []))
  if (first === undefined) throw new Error(`${file} has no line that begins with: ${begin}`)
  if (others.length > 0) throw new Error(`${file} has more than one line that begins with: ${begin}`)
  if (count !== undefined) return lines.slice(first, first + Number(count))
  const indent = indentOf(lines[first] ?? '')
  const length = lines.slice(first + 1).findIndex((line) => closes(line, indent))
  if (length === -1) throw new Error(`${file} has no line that closes: ${begin}`)
  return lines.slice(first, first + length + 2)
}

/**
 * Whether a line is the last one of an excerpt: it begins with a closing bracket, as far indented as the first line, and does not end
 * with an opening one, as `} else {` does.
 */
function closes(line: string, indent: number): boolean {
  return indentOf(line) === indent && /^\s*[)\]}]/.test(line) && !/[([{]$/.test(line)
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}

function dedented(lines: readonly string[]): readonly string[] {
  const indent = Math.min(...lines.filter((line) => line.trim() !== '').map(indentOf))
  return lines.map((line) => line.slice(indent))
}
