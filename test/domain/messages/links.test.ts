import { describe, expect, it } from 'vitest'
import { linksIn } from '../../../domain/messages/links.ts'

describe('the links of a text', () => {
  it.each([
    ['see https://example.org/a?b=c#d and HTTP://EXAMPLE.org.', ['https://example.org/a?b=c#d', 'HTTP://EXAMPLE.org']],
    [
      '(https://example.org/wiki/Tree_(graph)), twice: https://example.org/wiki/Tree_(graph)',
      ['https://example.org/wiki/Tree_(graph)'],
    ],
    ['<https://example.org/quiet> `https://example.org/code` ```\nhttps://example.org/block\n```', []],
    ['<https://example.org/open', ['https://example.org/open']],
    ['ftp://example.org javascript:alert(1) example.org', []],
    ['[name](https://example.org/named)', ['https://example.org/named']],
  ])('of %j', (text, links) => {
    expect(linksIn(text)).toStrictEqual(links)
  })

  it('are five at most', () => {
    const all = Array.from({ length: 9 }, (_, number) => `https://example.org/${number}`)
    expect(linksIn(all.join(' '))).toStrictEqual(all.slice(0, 5))
  })

  it('are found in linear time', () => {
    for (const text of ['https://'.repeat(1000), `https://a${')'.repeat(8000)}`, '<https://a'.repeat(800)])
      expect(linksIn(text).length).toBeLessThanOrEqual(5)
  })
})
