import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesIn, markdownIn, prose, read } from './pages.ts'

const decisions = markdownIn('docs/decisions')
/** The changelog names those of its time. */
const pages = [...markdownIn('.'), ...markdownIn('docs', true)].filter((page) => page !== 'CHANGELOG.md')
const folders = ['adapters', 'application', 'bench', 'cli', 'domain', 'gateway', 'process', 'projections', 'test']
const sources = folders
  .flatMap((folder) => [...filesIn(folder, '.ts', true), ...filesIn(folder, '.sql', true)])
  .filter((file) => !file.startsWith('test/docs/'))

const link = String.raw`\[decision (\d+)\]\((\d{4}-[a-z0-9-]+\.md)\)`
const accepted = /^# (\d+)\. .+\n\nAccepted, \d{4}-\d\d-\d\d\.\n\n\*\*Choice\.\*\* *\S*/
const superseded = new RegExp(String.raw`^# (\d+)\. .+\n\nSuperseded by ${link}((?:, ${link})*(?: and ${link}))?\.\n$`)

const numberOf = (page: string): number => Number(path.basename(page).slice(0, 4))
/** The numbers of the decisions that are true now. */
const current = decisions.filter((page) => accepted.test(read(page))).map(numberOf)

/** The numbers of the decisions that a text cites. */
const citedIn = (text: string): readonly number[] =>
  [...text.matchAll(/\bdecisions? \[?(\d+)/gi)].map(([, number]) => Number(number))

/** Whether a page cites something that is not true now. What is superseded names its successors alone. */
const citesWhatIsGone = (text: string): boolean => citedIn(text).some((number) => !current.includes(number))

describe('a decision', () => {
  it('says what is true now, or which decision does, and nothing more', () => {
    const shaped = (page: string): boolean => {
      const [, number] = accepted.exec(read(page)) ?? superseded.exec(read(page)) ?? []
      return Number(number) === numberOf(page)
    }
    expect(decisions.filter((page) => !shaped(page))).toEqual([])
  })

  it('has a number that no other one has', () => {
    const numbers = decisions.map(numberOf)
    expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([])
  })

  it('that pages and comments cite is true now', () => {
    const texts = [...pages.map((page) => [page, prose(page)]), ...sources.map((file) => [file, read(file)])]
    expect(texts.flatMap(([file = '', text = '']) => (citesWhatIsGone(text) ? [file] : []))).toEqual([])
  })

  it.each([
    ['# 3. Old\n\nSuperseded by [decision 4](0004-new.md).\n', true],
    [
      '# 3. Old\n\nSuperseded by [decision 4](0004-new.md), [decision 5](0005-b.md) and [decision 6](0006-c.md).\n',
      true,
    ],
    ['# 3. Old\n\nSuperseded by [decision 4](0004-new.md).\n\n**Choice.** This.\n', false],
    [
      '# 3. Old\n\nAccepted, 2026-11-20. Replaced in part by [decision 4](0004-new.md): how.\n\n**Choice.** This.\n',
      false,
    ],
    ['# 3. Old\n\nAccepted, 2026-11-20.\n\n**Why.** First.\n', false],
  ])('has one of two forms: %j', (text, fits) => {
    expect(accepted.test(text) || superseded.test(text)).toBe(fits)
  })

  it.each([
    ['// As decision 100000 says.', true],
    [`/** See decision ${current[0]}. */`, false],
  ])('that is gone is found where a comment cites it: %s', (text, isGone) => {
    expect(citesWhatIsGone(text)).toBe(isGone)
  })
})
