import { describe, expect, it, vi } from 'vitest'
import { openContentFilter } from '../../../application/content-rules/content-filter.ts'
import { copyAge_ms_max } from '../../../application/caches/refreshed-copy.ts'
import { contentRules, phraseCharacters_max, type SentText } from '../../../application/content-rules/content-rules.ts'
import type { BlocklistQueries, BlocklistRecord } from '../../../application/ports/queries/blocklist-queries.ts'
import type { Blocklist, ProfileScope, Severity } from '../../../domain/blocklist-entry/lists.ts'
import { start } from '../../../domain/testing/people.ts'
import { expectLinear } from '../../support/growth.ts'

let entries = 0

function entry(
  list: Blocklist,
  value: string,
  { severity = 2, scope = null }: { readonly severity?: Severity; readonly scope?: ProfileScope | null } = {},
): BlocklistRecord {
  entries += 1
  const nothing = { sourceUrl: null, notes: null, contentType: null, reason: null }
  const details = { category: 'manual', severity, matchSubdomains: true, ...nothing } as const
  return { entryId: `e${entries}`, list, scope, value, details, addedBy: null, addedAt: start }
}

const text = (given: string, scope: ProfileScope | null = null): SentText => ({ text: given, scope })
const found = (records: readonly BlocklistRecord[], given: string, scope: ProfileScope | null = null) =>
  contentRules(records)(text(given, scope)).map(({ list }) => list)

describe('the rules about texts', () => {
  it('find a phrase in its normal form', () => {
    const records = [entry('phrase', 'Buy now')]
    for (const said of [
      'buy now',
      'do BUY-NOW please',
      'b u y n o w',
      'ＢＵＹ ＮＯＷ',
      'bu\u200by no\ufe0fw',
      'b.u.y_n*o*w',
    ])
      expect([said, found(records, said)]).toEqual([said, ['phrase']])
    for (const said of ['buy', 'now buy', 'buy it now']) expect([said, found(records, said)]).toEqual([said, []])
  })
  it.each([
    ['symbols between letters', 'b||a||dword'],
    ['marks on letters', 'b̶a̶d̶w̶o̶r̶d̶'],
    ['marks of other scripts', 'ba\u0941dword'],
    ['one letter of Cyrillic', 'bаdword'],
    ['one letter of Greek, and blanks', 'b a d w ο r d'],
    ['capitals that look alike', 'ВАDWОRD'],
    ['boxes', '🅱🅰🅳🆆🅾🆁🅳'],
    ['small capitals', 'ʙᴀᴅᴡᴏʀᴅ'],
    ['Cyrillic alone', 'Ьаԁԝогԁ'],
    ['percent-encoding in a link', 'https://a.example/?q=%62adwor%64'],
    ['look-alikes in a link', 'https://a.example/b%D0%B0dword'],
  ])('find a phrase in spite of %s', (_, said) => {
    expect(found([entry('phrase', 'badword')], said)).toEqual(['phrase'])
    expect(found([entry('phrase', 'badworn')], said)).toEqual([])
  })
  it.each([
    ['вода', 'ВОДА', 'вoдa', 'ВOДА', 'в|о|д|а'],
    ['Straße', 'die STRAẞE', 'stra\u0336ße', 'strаße'],
    ['οδος', 'ΟΔΟΣ', 'οδός'.normalize('NFD').replace('\u0301', '\u0336'), 'oδος'],
    ['νόμος', 'ΝΌΜΟΣ', 'ο νόμος', 'vόμος'],
    ['सूरज', 'यह सूरज है', 'सू|रज'],
    ['سلام', 'سَلام', 'س-لام'],
    ['坏话', '说坏🙂话'],
    ['ısı', 'ısı', 'ı s ı'],
  ])('find %j, in any script', (phrase, ...said) => {
    for (const each of said) expect([each, found([entry('phrase', phrase)], each)]).toEqual([each, ['phrase']])
  })
  it.each([
    ['cop', 'сорока и сор'],
    ['cop', 'сор'],
    ['сор', 'the cop'],
    ['het', 'НЕТ'],
    ['нет', 'het huis'],
    ['tam', 'iPhone там'],
    ['schwul', 'es ist schwül'],
    ['sik', 'çok sık'],
    ['ban', 'bạn'],
    ['pad', 'það'],
    ['कल', 'काल'],
    ['vow', 'νόμος νου'],
    ['corn', 'com pomegranate'],
    ['loo', '100'],
  ])('find no %j in the ordinary words %j', (phrase, said) => {
    expect(found([entry('phrase', phrase)], said)).toEqual([])
  })
  it('find phrases with symbols only with these symbols', () => {
    const records = [entry('phrase', 'c++'), entry('phrase', '😀')]
    expect(found(records, 'C++')).toEqual(['phrase'])
    expect(found(records, 'ok 😀')).toEqual(['phrase'])
    expect(found(records, 'c')).toEqual([])
  })
  it('distinguish phrases that look alike', () => {
    const [latin, cyrillic] = [entry('phrase', 'cop'), entry('phrase', 'сор')]
    const idsIn = (said: string) => contentRules([latin, cyrillic])(text(said)).map(({ entryId }) => entryId)
    expect(idsIn('cop')).toEqual([latin.entryId])
    expect(idsIn('сор')).toEqual([cyrillic.entryId])
    expect(idsIn('cор')).toEqual([latin.entryId, cyrillic.entryId])
  })
  it('find an address in any encoding', () => {
    const records = [entry('url', 'https://evil.example/%61?q=%2f'), entry('url-domain', 'bad.example')]
    expect(found(records, 'see https://evil.example/a?q=%2F')).toContain('url')
    expect(found(records, 'see https://evil.example/%2561?q=%2F')).not.toContain('url')
    expect(found(records, 'see https://b%61d.example/')).toContain('url-domain')
    expect(found(records, 'see http://b%61d%2Eexample')).toContain('url-domain')
  })
  it('find an address exactly, and a host exactly', () => {
    const records = [entry('url', 'https://evil.example/a'), entry('url-domain', 'bad.example')]
    expect(found(records, 'see https://EVIL.example/a#x')).toContain('url')
    expect(found(records, 'see https://evil.example/ab')).toEqual([])
    expect(found(records, 'see https://bad.example/x')).toContain('url-domain')
    // A name is no URL.
    expect(found(records, 'see bad.example')).toEqual([])
    // Stored as match_subdomains, but still compared exactly.
    expect(found(records, 'see https://www.bad.example/x')).toEqual([])
  })
  it('find a profile-substring only in its scope', () => {
    const records = [entry('profile-substring', 'admin', { scope: 'username' })]
    expect(found(records, 'the_Admin', 'username')).toEqual(['profile-substring'])
    expect(found(records, 'the admin', 'bio')).toEqual([])
    expect(found(records, 'the admin')).toEqual([])
  })
  it('accept what is allowed', () => {
    expect(found([entry('phrase', 'buy now', { severity: 0 })], 'buy now')).toEqual([])
  })
  it('keep the newest if there is more than a process should keep', () => {
    const long = 'a'.repeat(500)
    const many = Array.from({ length: phraseCharacters_max / 500 }, (_, index) => entry('phrase', `${index}${long}`))
    const records = [entry('phrase', 'newest'), ...many, entry('phrase', 'oldest')]
    expect(found(records, 'newest')).toEqual(['phrase'])
    expect(found(records, 'oldest')).toEqual([])
  })
})

describe('texts that are made to take long', () => {
  const phrases = Array.from({ length: 2000 }, (_, index) => entry('phrase', `${'ab'.repeat(100)}c${index}`))
  const rules = contentRules([...phrases, entry('url-domain', 'bad.example')])
  const made = [
    'ab'.repeat(50_000),
    'a'.repeat(100_000),
    `a${'\u0301\u0327'.repeat(50_000)}`,
    'a\u0301\u0327'.repeat(33_000),
    '. '.repeat(50_000),
    '\u200b'.repeat(100_000),
    '😀'.repeat(50_000),
    'http://'.repeat(14_000),
    'a.'.repeat(50_000),
    `http://a/${'.'.repeat(99_000)}x`,
    'aа'.repeat(50_000),
    `http://a/${'%61'.repeat(33_000)}`,
    'http://a/%d0%b0 '.repeat(6_000),
  ]
  it.each(made)('take time in proportion to their length: %#', (long) => {
    expectLinear((given) => rules(text(given)), long)
  })
})

/** A read model that a test writes. */
function readModel() {
  const rows: BlocklistRecord[] = []
  let changes = 0
  const newestOf = vi.fn<BlocklistQueries['newestOf']>(async () => [...rows])
  const matches: unknown[] = []
  const told: number[] = []
  return {
    newestOf,
    matches,
    /** How many entries each call named. */
    told,
    open: (onError = (error: unknown): void => expect(error).toBeUndefined()) =>
      openContentFilter({
        queries: { newestOf, changes: async () => changes },
        onMatch: (found) => {
          told.push(found.length)
          matches.push(...found)
        },
        onError,
      }),
    set: (...given: readonly BlocklistRecord[]) => {
      rows.splice(0, rows.length, ...given)
      changes += 1
    },
  }
}

describe('the content filter', () => {
  it('acts by severity: an allowed match is silent, a warning goes through, a block refuses', async () => {
    const model = readModel()
    const [warned, blocked, reported] = ([1, 2, 3] as const).map((severity) =>
      entry('phrase', `word${severity}`, { severity }),
    )
    model.set(entry('phrase', 'word0', { severity: 0 }), ...[warned, blocked, reported].flatMap((each) => each ?? []))
    const filter = await model.open()
    expect(filter.blocks([text('word0')])).toBe(false)
    expect(model.matches).toEqual([])
    expect(filter.blocks([text('word1')])).toBe(false)
    expect(filter.blocks([text('fine'), text('word2')])).toBe(true)
    expect(filter.blocks([text('word3')])).toBe(true)
    expect(model.matches).toEqual([
      { entryId: warned?.entryId, list: 'phrase', severity: 1 },
      { entryId: blocked?.entryId, list: 'phrase', severity: 2 },
      { entryId: reported?.entryId, list: 'phrase', severity: 3 },
    ])
    filter.close()
  })
  it('tells of what somebody sent once, and of each entry once, however often it is found', async () => {
    const model = readModel()
    model.set(entry('phrase', 'word1', { severity: 1 }), entry('phrase', 'word2', { severity: 2 }))
    const filter = await model.open()
    expect(filter.blocks([text('word2 and word1'), text('word2')])).toBe(true)
    expect(filter.blocks([text('fine')])).toBe(false)
    expect(model.told).toEqual([2])
    filter.close()
  })
  it('reads entries again only if there is a change', async () => {
    const model = readModel()
    const filter = await model.open()
    await filter.refresh()
    expect(model.newestOf).toHaveBeenCalledTimes(1)
    model.set(entry('phrase', 'word'))
    await filter.refresh()
    expect(filter.blocks([text('word')])).toBe(true)
    model.set()
    await filter.refresh()
    expect(filter.blocks([text('word')])).toBe(false)
    expect(model.newestOf).toHaveBeenCalledTimes(3)
    filter.close()
  })
  it('checks once a second, goes on while it cannot read, and reports that once', async () => {
    vi.useFakeTimers()
    const model = readModel()
    model.set(entry('phrase', 'word'))
    const told: unknown[] = []
    const filter = await model.open((error) => void told.push(error))
    model.newestOf.mockRejectedValue(new Error('Postgres is away'))
    model.set()
    await vi.advanceTimersByTimeAsync(3 * copyAge_ms_max)
    expect(told).toHaveLength(1)
    expect(filter.blocks([text('word')])).toBe(true)
    model.newestOf.mockResolvedValue([])
    await vi.advanceTimersByTimeAsync(copyAge_ms_max)
    expect(filter.blocks([text('word')])).toBe(false)
    filter.close()
    vi.useRealTimers()
  })
})
