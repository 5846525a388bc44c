import { describe, expect, it } from 'vitest'
import { filesIn, markdownIn, read } from './pages.ts'

const versionOf = (file: string): unknown => (JSON.parse(read(file)) as { readonly version: unknown }).version
const version = versionOf('package.json')
const changelog = read('CHANGELOG.md')
/** The sections of the changelog, newest first: their headings, and what follows. */
const sections = changelog
  .split(/^## /m)
  .slice(1)
  .map((text) => ({ heading: text.slice(0, text.indexOf('\n')), text }))
const released = sections.slice(1).map(({ heading, text }) => {
  const [, number = '', day = ''] = /^\[(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d)$/.exec(heading) ?? []
  return { heading, number, day, text }
})

describe('the changelog', () => {
  it('begins with what is not released yet, and dates every version', () => {
    expect(sections[0]?.heading).toBe('[Unreleased]')
    expect(released.length).toBeGreaterThan(0)
    expect(released.filter(({ number }) => number === '').map(({ heading }) => heading)).toEqual([])
  })

  it('has its versions once each, newest first, on days that do not go back', () => {
    const numbers = released.map(({ number }) => number)
    const collator = new Intl.Collator('en', { numeric: true })
    expect(numbers).toEqual([...new Set(numbers)].toSorted((one, other) => collator.compare(other, one)))
    const days = released.map(({ day }) => day)
    expect(days).toEqual(days.toSorted().toReversed())
  })

  it('begins each version with what its operators must do', () => {
    const without = released.filter(({ text }) => /^### (.+)$/m.exec(text)?.[1] !== 'For operators')
    expect(without.map(({ heading }) => heading)).toEqual([])
  })

  it('keeps each entry in one place', () => {
    const entries = [...changelog.matchAll(/^- .+$/gm)].map(([entry]) => entry)
    expect(entries.filter((entry, index) => entries.indexOf(entry) !== index)).toEqual([])
  })
})

describe('the version', () => {
  it('of the product is the newest of the changelog', () => {
    expect(released[0]?.number).toBe(version)
  })

  it.each(['package-lock.json', 'domain/package.json', 'client/package.json'])('is that of %s', (file) => {
    expect(versionOf(file)).toBe(version)
  })

  it.each(['docs/deploying.md', 'docs/property-tests.md', 'docs/first-bot.md', 'client/README.md'])(
    'is that of the tarballs that %s names',
    (page) => {
      const named = [...read(page).matchAll(/guildhall-(?:domain-|client-)?(\d+\.\d+\.\d+)\.tgz/g)].map(
        ([, number]) => number,
      )
      expect(new Set(named)).toEqual(new Set([version]))
    },
  )
})

describe('the pages for contributors', () => {
  const scripts = Object.keys((JSON.parse(read('package.json')) as { readonly scripts: object }).scripts)
  const pages = [...markdownIn('.'), ...markdownIn('docs'), ...markdownIn('.github', true)]

  it('name scripts that package.json has', () => {
    const named = pages.flatMap((page) => [...read(page).matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name))
    expect(named.filter((name) => !scripts.includes(name))).toEqual([])
  })

  it('name files that exist in the template of a report', () => {
    const named = [...read('.github/ISSUE_TEMPLATE/fault.md').matchAll(/[\w/-]+\.md/g)].map(([file]) => file)
    const existing = [...markdownIn('.'), ...filesIn('docs', '.md', true)]
    expect(named).toContain('SECURITY.md')
    expect(named.filter((file) => !existing.includes(file))).toEqual([])
  })
})
