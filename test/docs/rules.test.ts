import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { anchorsOf, filesIn, markdownIn, prose, read } from './pages.ts'

const folder = 'docs/rules'
/** Their comments cite the pages and nothing else. The examples of this folder cite what others must not. */
const folders = ['adapters', 'application', 'bench', 'cli', 'domain', 'gateway', 'process', 'projections', 'test']
const sources = folders.flatMap((each) => filesIn(each, '.ts', true)).filter((file) => !file.startsWith('test/docs/'))
const pages = [...markdownIn('.'), ...markdownIn('docs', true)]

const anchors: ReadonlyMap<string, readonly string[]> = new Map(
  markdownIn(folder).map((page) => [path.basename(page, '.md'), anchorsOf(page)]),
)

/** What a text cites, as `page#anchor`. */
const citationsIn = (text: string): readonly string[] =>
  [...text.matchAll(/\brules\/([\w-]+#[\w-]+)/g)].map(([, citation = '']) => citation)

const isKnown = (citation: string): boolean => {
  const [page = '', anchor = ''] = citation.split('#')
  return anchors.get(page)?.includes(anchor) === true
}

/** What names a place in a document that is not in this repository. Pages may name the document itself. */
const numbered =
  /contract[:,]? part|\bpart [123]\b|\breference,? (?:gateway|identity|stores|conversations)|\b(?:gateway|identity|stores) \d+\.\d|abuse (?:matrix|row)/i

/** Comments that cite such documents. */
const foreignIn = (text: string): readonly string[] => {
  const comments = [...text.matchAll(/\/\*[^]*?\*\/|\/\/.*$/gm)].map(([comment]) =>
    comment.replaceAll(/\s*\n\s*\*/g, ''),
  )
  const foreign =
    /contract[:,]? part|\bsupplement\b|\breference,? (?:gateway|identity|stores|conversations|administration)|abuse (?:matrix|row)/i
  return comments.filter((comment) => foreign.test(comment))
}

describe('a rule', () => {
  it('that a comment cites has its heading', () => {
    const cited = sources.flatMap((file) => citationsIn(read(file)).map((citation) => ({ file, citation })))
    expect(cited.length).toBeGreaterThan(0)
    expect(cited.filter(({ citation }) => !isKnown(citation))).toEqual([])
  })

  it.each([
    ['/** Refuses (rules/invites#accept). */', true],
    ['// See rules/invites#no-such-heading.', false],
    ['// See rules/no-such-page#accept.', false],
  ])('is found by its page and heading: %s', (comment, known) => {
    expect(citationsIn(comment).map(isKnown)).toEqual([known])
  })

  it('is cited in no other form by a comment', () => {
    expect(sources.filter((file) => foreignIn(read(file)).length > 0)).toEqual([])
  })

  it('is cited by no page by the part or number of a document that is not here', () => {
    expect(pages.filter((page) => numbered.test(prose(page)))).toEqual([])
  })

  it.each([
    '// contract part 1',
    '/** Contract: part 1, Accept invite. */',
    '/**\n * The order (supplement).\n */',
    '/**\n * As in reference\n * gateway 5.7.\n */',
    '/** See abuse matrix, A15. */',
  ])('is told from a citation of a document that is not here: %j', (comment) => {
    expect(foreignIn(comment)).toHaveLength(1)
  })
})

describe('a page of rules', () => {
  it('is in the table of the pages', () => {
    const listed = [...prose(`${folder}/README.md`).matchAll(/^\| \[?([a-z-]+)/gm)].map(([, name = '']) => name)
    expect([...anchors.keys()].filter((page) => page !== 'README' && !listed.includes(page))).toEqual([])
  })

  it('has each heading once, so that a citation names one section', () => {
    const repeated = [...anchors].filter(([, of]) => new Set(of).size < of.length).map(([page]) => page)
    expect(repeated).toEqual([])
  })
})
