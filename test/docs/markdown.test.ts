import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { anchorsOf, checkout, markdownIn, prose, read } from './pages.ts'

const pages = [...markdownIn('.'), ...markdownIn('docs', true), ...markdownIn('.github', true)].toSorted()
/** A page that describes the state of the time when it was written. */
const isHistory = (page: string): boolean => page === 'CHANGELOG.md'

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
