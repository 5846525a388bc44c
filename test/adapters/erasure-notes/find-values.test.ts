import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { findValues } from '../../../adapters/erasure-notes/find-values.ts'
import { noteValues } from '../../../adapters/erasure-notes/noted-values.ts'

const noted = (...texts: readonly string[]) =>
  noteValues({
    holders: [],
    values: texts.map((text, index) => ({ kind: `kind ${index}`, text })),
    images: ['0123456789abcdef0123456789abcdef'],
    isCut: false,
    running_count: 0,
    unread_count: 0,
  })
const kindsIn = (finder: ReturnType<typeof findValues>, text: string | Buffer, isCut = false) =>
  finder.in(Buffer.from(text), isCut).map(({ kind }) => kind)

const said = 'Ich heiße "Ada" & wohne\nin <Köln>'

describe('noted values', () => {
  it('are found inside any text in which they stand', () => {
    const finder = findValues(noted('ada@example.org', said))
    expect(kindsIn(finder, `mailto:ada@example.org?subject=x ${said}.`)).toEqual(['kind 0', 'kind 1'])
    expect(kindsIn(finder, 'adb@example.org, ada@example.net')).toEqual([])
  })

  it.each([
    ['lower case', said.toLowerCase()],
    ['JSON', JSON.stringify({ bio: [`-${said}-`] })],
    ['JSON in JSON', JSON.stringify({ payload: JSON.stringify({ bio: said }) })],
    ['HTML', 'Ich heiße &quot;Ada&quot; &amp; wohne\nin &lt;Köln&gt;'],
    ['a query', `https://example.org/?q=${encodeURIComponent(said)}&x=1`],
    ['hexadecimal digits', `\\x00${Buffer.from(said).toString('hex')}`],
    ['great hexadecimal digits', Buffer.from(said).toString('hex').toUpperCase()],
  ])('are found in %s', (_, text) => {
    const finder = findValues(noted(said))
    expect(kindsIn(finder, text)).toEqual(['kind 0'])
  })

  it('are found in base64 and base64url, wherever they lie in what is encoded', () => {
    const [plain, quoted] = ['ada??~~>>@example.org', 'Ada "the first" \\ Lovelace']
    const finder = findValues(noted(plain, quoted))
    for (let before = 0; before < 12; before += 1)
      for (const encoding of ['base64', 'base64url'] as const) {
        const bytes = Buffer.concat([randomBytes(before), Buffer.from(plain), randomBytes(before % 5)])
        expect(kindsIn(finder, `{"sealed":"${bytes.toString(encoding)}"}`)).toEqual(['kind 0'])
        const json = JSON.stringify({ [`${'k'.repeat(before)}`]: quoted })
        expect(kindsIn(finder, Buffer.from(json).toString(encoding))).toEqual(['kind 1'])
      }
  })

  it('count as whole values alone if they are short, and not at all if they are shorter', () => {
    const { values, tooShort } = noted('Adele', '10.0.0.1', 'Ada')
    expect([values.length, tooShort]).toEqual([2, { 'kind 2': 1 }])
    const finder = findValues(noted('Adele'))
    expect(kindsIn(finder, 'Adele')).toEqual(['kind 0'])
    expect(kindsIn(finder, '{"nick":"Adele"}')).toEqual(['kind 0'])
    expect(kindsIn(finder, 'Adele says hello')).toEqual([])
    expect(kindsIn(finder, '"Adele" is cut', true)).toEqual(['kind 0'])
    expect(kindsIn(finder, 'Adele', true)).toEqual([])
  })

  it('are found by their beginnings if they are very long', () => {
    const long = randomBytes(4000).toString('hex')
    expect(kindsIn(findValues(noted(long)), `x${long}x`)).toEqual(['kind 0'])
  })

  it('are not in the note: each note has other hashes of them', () => {
    const [one, other] = [noted(said, 'ada@example.org'), noted(said, 'ada@example.org')]
    expect(JSON.stringify(one)).not.toMatch(/Ada|example/)
    const hashes = ({ values }: typeof one) => values.flatMap(({ forms }) => forms.map(({ hash }) => hash))
    expect(hashes(one).filter((hash) => hashes(other).includes(hash))).toEqual([])
  })

  it('know an image by its bytes', () => {
    const finder = findValues(noted())
    expect(finder.isImage('0123456789abcdef0123456789abcdef')).toBe(true)
    expect(finder.isImage('0123456789abcdef0123456789abcdee')).toBe(false)
  })
})
