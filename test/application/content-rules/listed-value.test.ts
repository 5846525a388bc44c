import { describe, expect, it } from 'vitest'
import { readListedValue } from '../../../application/content-rules/listed-value.ts'
import { urlsIn } from '../../../application/content-rules/listed-urls.ts'
import type { Blocklist } from '../../../domain/blocklist-entry/lists.ts'
import { expectLinear } from '../../support/growth.ts'

const read = (list: Blocklist, text: string) => {
  const value = readListedValue(list, text)
  return value.ok ? value.value : value.code
}

describe('the value of an entry', () => {
  it.each([
    ['ip', ' 203.0.113.7 ', '203.0.113.7', '203.0.113.7/32'],
    ['ip', '203.0.113.7/32', '203.0.113.7', '203.0.113.7/32'],
    ['ip', '::ffff:203.0.113.7', '203.0.113.7', '203.0.113.7/32'],
    ['ip', '2001:DB8::5', '2001:db8:0:0::/64', '2001:db8:0:0::/64'],
    ['ip', '2001:db8:0:0::/64', '2001:db8:0:0::/64', '2001:db8:0:0::/64'],
    ['email', ' Ada@Example.ORG ', 'ada@example.org', 'ada@example.org'],
    ['phrase', ' Buy  Now! ', 'Buy  Now!', 'buynow'],
    ['profile-substring', 'ＢＵＹ', 'ＢＵＹ', 'buy'],
    [
      'url',
      'HTTPS://Ada@Evil.Example:443/Path?q=1#there',
      'https://evil.example/Path?q=1',
      'https://evil.example/Path?q=1',
    ],
    ['url', 'http://bücher.example', 'http://xn--bcher-kva.example/', 'http://xn--bcher-kva.example/'],
    ['url-domain', 'Evil.Example.', 'evil.example', 'evil.example'],
    ['url-domain', 'bücher.example', 'xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['file-sha', 'AB'.repeat(32), 'ab'.repeat(32), 'ab'.repeat(32)],
    ['avatar-hash', 'a_0123', 'a_0123', 'a_0123'],
  ] as const)('of %s: %j is stored as %j', (list, text, value, key) => {
    expect(read(list, text)).toStrictEqual({ value, key })
  })
  it.each([
    ['ip', 'STRING_LENGTH_INVALID', ''],
    ['ip', 'STRING_LENGTH_INVALID', '1'.repeat(46)],
    ['ip', 'INVALID_FORMAT', 'example.org'],
    ['ip', 'INVALID_FORMAT', '203.0.113.0/24'],
    ['ip', 'INVALID_FORMAT', '2001:db8::/48'],
    ['ip', 'INVALID_FORMAT', '1.2.3.4/32/32'],
    ['email', 'INVALID_EMAIL_FORMAT', 'ada'],
    ['email', 'EMAIL_LENGTH_INVALID', `${'a'.repeat(250)}@b.cc`],
    ['phrase', 'STRING_LENGTH_INVALID', 'a'.repeat(501)],
    ['phrase', 'INVALID_FORMAT', '?!'],
    ['profile-substring', 'INVALID_FORMAT', '\u200b.'],
    ['url', 'INVALID_URL_FORMAT', 'ftp://evil.example'],
    ['url', 'INVALID_URL_FORMAT', 'evil.example'],
    ['url', 'STRING_LENGTH_INVALID', `https://evil.example/${'a'.repeat(2048)}`],
    ['url-domain', 'INVALID_FORMAT', 'evil.example/path'],
    ['url-domain', 'INVALID_FORMAT', 'evil.example:80'],
    ['url-domain', 'INVALID_FORMAT', 'x@evil.example'],
    ['file-sha', 'STRING_LENGTH_INVALID', 'ab'.repeat(31)],
    ['file-sha', 'INVALID_FORMAT', 'xy'.repeat(32)],
    ['avatar-hash', 'INVALID_FORMAT', '../x'],
  ] as const)('of %s can be wrong: %s', (list, code, text) => {
    expect(read(list, text)).toBe(code)
  })
})

describe('the addresses in a text', () => {
  it('are every web address in it, and the host of each', () => {
    const { urls, hosts } = urlsIn(
      'See (https://Evil.Example/a?b#c), or **http://bücher.example/x**. Not ftp://other.example',
    )
    expect(urls).toContain('https://evil.example/a?b')
    expect(urls).toContain('http://xn--bcher-kva.example/x')
    expect(hosts).toContain('evil.example')
    expect(hosts).toContain('xn--bcher-kva.example')
  })
  it('include neither a name without a scheme, nor the host of a mailbox', () => {
    expect(urlsIn('go to evil.example, or www.evil.example/x').hosts).toEqual([])
    expect(urlsIn('ada@evil.example').hosts).toEqual([])
    expect(urlsIn('https://ada@evil.example').hosts).toContain('evil.example')
    expect(urlsIn('no address: 1. here... or there').hosts).toEqual([])
  })
  it('are found in time in every text', () => {
    const texts = ['http://'.repeat(1170), 'a.'.repeat(4000), `http://a/${'.'.repeat(8000)}`, '@a.b'.repeat(2000)]
    for (const text of texts) expectLinear(urlsIn, text)
  })
})
