import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { anchorsOf, checkout, markdownIn, prose, read } from './pages.ts'

const pages = [...markdownIn('.'), ...markdownIn('docs', true)].toSorted()
/** Pages that describe the state of the time when they were written. */
const isHistory = (page: string): boolean => page.startsWith('docs/decisions/') || page === 'CHANGELOG.md'

function brokenLinksOf(page: string): readonly string[] {
  const targets = [...prose(page).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, target = '']) => target)
  return targets.filter((target) => {
    const [file = '', anchor] = target.split('#')
    const linked = file === '' ? page : path.posix.join(path.posix.dirname(page), file)
    if (!existsSync(path.join(checkout, linked))) return true
    return anchor !== undefined && !anchorsOf(linked).includes(anchor)
  })
}

function paddedRowsOf(page: string): readonly string[] {
  return prose(page)
    .split('\n')
    .filter((line) => line.startsWith('|') && / {2}\||\| {2}|-{4}/.test(line))
}

/** The example of CONTRIBUTING and of its recipes, which the product does not have. */
const example = /\bpolls?\b/

function missingPathsOf(page: string): readonly string[] {
  const named = prose(page).matchAll(
    /`((?:adapters|application|bench|cli|docs|domain|gateway|projections|test)\/[^`\s{}<>*]*)`/g,
  )
  return [...named]
    .map(([, name = '']) => name)
    .filter((name) => !example.test(name) && !existsSync(path.join(checkout, name)))
}

/** The faults that `find` finds, by page; pages without faults are left out. */
function faults(
  find: (page: string) => readonly string[],
  of: readonly string[] = pages,
): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(of.map((page) => [page, find(page)] as const).filter(([, found]) => found.length > 0))
}

describe('a page of Markdown', () => {
  it('pads no table, so that a longer cell changes one line', () => {
    expect(faults(paddedRowsOf)).toEqual({})
  })

  it('links to existing targets', () => {
    expect(faults(brokenLinksOf)).toEqual({})
  })

  it('names files and folders that exist, unless it describes the past', () => {
    const current = pages.filter((page) => !isHistory(page))
    expect(faults(missingPathsOf, current)).toEqual({})
  })

  it.each([
    ['README.md', 6],
    ['ARCHITECTURE.md', 10],
  ])('%s has at most %d KB', (page, most) => {
    expect(statSync(path.join(checkout, page)).size).toBeLessThanOrEqual(most * 1024)
  })

  it('of a newcomer begins with the two commands that start the product and run its tests', () => {
    const blocks = [...read('README.md').matchAll(/^```\n([^]*?)\n```$/gm)].map(([, text]) => text)
    expect(blocks.slice(0, 2)).toEqual(['npm ci && npm start', 'npm ci && npm test'])
  })
})

describe('a decision', () => {
  const decisions = markdownIn('docs/decisions')
  const fileOf = (number: string): string | undefined =>
    decisions.find((page) => path.basename(page).startsWith(`${number.padStart(4, '0')}-`))
  const named = String.raw`\[decision (\d+)\]\((\d{4}-[a-z0-9-]+\.md)\)`
  const relation = new RegExp(`(Replaced|Replaces)(?: in part by| part of| by)? ${named}`, 'g')
  const status = new RegExp(
    String.raw`^Accepted, \d{4}-\d\d-\d\d\.( Replaced by ${named}\.| Replaced in part by ${named}: .+?\.)*( Replaces (part of )?${named}\.)*$`,
  )

  /** Its status is in the third line; the first section follows after an empty line. */
  const linesOf = (page: string): readonly string[] => read(page).split('\n', 5)

  it('has its number, its status and its choice in their places', () => {
    const misplaced = (page: string): readonly string[] => {
      const [title = '', gap, state = '', , choice = ''] = linesOf(page)
      const number = Number(path.basename(page).slice(0, 4))
      const inPlace = title.startsWith(`# ${number}. `) && gap === '' && status.test(state)
      return inPlace && choice.startsWith('**Choice.**') ? [] : [title, state, choice]
    }
    expect(faults(misplaced, decisions)).toEqual({})
  })

  it('has a number that no other one has', () => {
    const numbers = decisions.map((page) => path.basename(page).slice(0, 4))
    expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([])
  })

  it('names those that replace it or that it replaces, and they name it', () => {
    const oneSided = (page: string): readonly string[] => {
      const own = Number(path.basename(page).slice(0, 4))
      const relations = linesOf(page)[2]?.matchAll(relation) ?? []
      return [...relations].flatMap(([text, kind, number = '', file = '']) => {
        const back = new RegExp(`${kind === 'Replaced' ? 'Replaces' : 'Replaced'}[^.]* \\[decision ${own}\\]`)
        const isThere = fileOf(number) === `docs/decisions/${file}`
        return isThere && back.test(linesOf(`docs/decisions/${file}`)[2] ?? '') ? [] : [text]
      })
    }
    expect(faults(oneSided, decisions)).toEqual({})
  })
})
