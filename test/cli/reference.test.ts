import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { withExcerpts } from '../../cli/reference/excerpts.ts'
import { table } from '../../cli/reference/markdown.ts'
import { referencePages, rewriteCommand, writtenPages } from '../../cli/reference/pages.ts'

const checkout = path.resolve(import.meta.dirname, '../..')
const written = writtenPages(checkout)

describe('a page of docs/ that is generated from the code', () => {
  it.each(written)('$file matches the code', ({ file, text }) => {
    const onDisk = path.join(checkout, file)
    expect(existsSync(onDisk) ? readFileSync(onDisk, 'utf8') : '', `run: ${rewriteCommand}`).toBe(text)
  })

  it('is written by the command that the page and this test name', () => {
    const scripts = readFileSync(path.join(checkout, 'package.json'), 'utf8')
    expect(scripts).toContain(`"${rewriteCommand.replace('npm run ', '')}": `)
    for (const { text } of written.slice(0, referencePages.length)) expect(text).toContain(rewriteCommand)
  })

  it('explains each setting, and lists the commands', () => {
    const [settings, commands] = written
    expect(settings?.text).toMatch(/^\| `HTTP_PORT` \| `3000` \| .+\. \|$/m)
    expect(settings?.text).toContain('refuse to start without `DATABASE_URL`, `NATS_URL`, `PERSONAL_DATA_KEY`')
    expect(commands?.text).toContain('## `admin grant <who> <acls...>`')
    expect(commands?.text).toContain('- `--last <n>`: how many of the newest, 1-1000; `10` by default')
  })
})

describe('an excerpt', () => {
  const source = [
    'import x',
    'class A {',
    '  act(',
    '    a: string,',
    '  ): void {',
    '    go()',
    '  }',
    '',
    '  end() {}',
    '}',
  ]
  const read = () => source.join('\n')
  const excerptAt = (begin: string): string =>
    withExcerpts(`<!-- code: a.ts: ${begin} -->\n\n\`\`\`ts\nold\n\`\`\`\n`, read)
  const fenced = (...lines: readonly string[]): string => ['```ts', ...lines, '```'].join('\n')

  it('goes from its first line to the line that closes it, and loses its indentation', () => {
    expect(excerptAt('act(')).toContain(fenced('act(', '  a: string,', '): void {', '  go()', '}'))
  })

  it('has as many lines as its comment says', () => {
    expect(excerptAt('act( (2 lines)')).toContain(fenced('act(', '  a: string,'))
  })

  it('leaves everything else on the page as it is', () => {
    const page = 'Before.\n\n```ts\nuntouched\n```\n\n<!-- code: a.ts: class A -->\n\n```ts\n```\n\nAfter.\n'
    const written = withExcerpts(page, read)
    expect(written).toContain('Before.\n\n```ts\nuntouched\n```\n')
    expect(written).toMatch(/ {2}end\(\) \{\}\n\}\n```\n\nAfter\.\n$/)
    expect(withExcerpts(written, read)).toBe(written)
  })

  it('is refused if no line begins so, several do, or none closes it', () => {
    expect(() => excerptAt('leave(')).toThrow('a.ts has no line that begins with: leave(')
    expect(() => withExcerpts('<!-- code: a.ts: b -->\n\n```ts\n```', () => 'b\nb')).toThrow('more than one line')
    expect(() => withExcerpts('<!-- code: a.ts: b -->\n\n```ts\n```', () => 'b {\n  c')).toThrow('no line that closes')
  })
})

describe('a table', () => {
  it('is not padded, and a bar in a cell stays in its cell', () => {
    expect(table(['a', 'long head'], [['x|y', 'z']])).toBe('| a | long head |\n| --- | --- |\n| x\\|y | z |')
  })
})
