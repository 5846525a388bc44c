import { describe, expect, it } from 'vitest'
import { clientInfo } from '../../../../application/identity/sessions/client-info.ts'
import { maskedIp } from '../../../../application/identity/sessions/masked-ip.ts'
import { expectLinear } from '../../../support/growth.ts'

const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)'

describe('the client that a user agent names', () => {
  it.each([
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/140.0.0.0 Safari/537.36`,
      'Windows PC',
      'Windows',
      'Chrome',
      'desktop',
    ],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`,
      'Windows PC',
      'Windows',
      'Edge',
      'desktop',
    ],
    [
      `Mozilla/5.0 (X11; Linux x86_64) ${webKit} Chrome/140.0.0.0 Safari/537.36 OPR/120.0.0.0`,
      'Linux PC',
      'Linux',
      'Opera',
      'desktop',
    ],
    [
      'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      'Linux PC',
      'Linux',
      'Firefox',
      'desktop',
    ],
    [
      `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webKit} Chrome/140.0.0.0 Safari/537.36`,
      'Chromebook',
      'ChromeOS',
      'Chrome',
      'desktop',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
      'Mac',
      'macOS',
      'Safari',
      'desktop',
    ],
    [
      `Mozilla/5.0 (Linux; Android 15; Pixel 9) ${webKit} Chrome/140.0.0.0 Mobile Safari/537.36`,
      'Android phone',
      'Android',
      'Chrome',
      'mobile',
    ],
    [
      `Mozilla/5.0 (Linux; Android 15; SM-X910) ${webKit} Chrome/140.0.0.0 Safari/537.36`,
      'Android tablet',
      'Android',
      'Chrome',
      'mobile',
    ],
    [
      'Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1',
      'iPad',
      'iOS',
      'Chrome',
      'mobile',
    ],
  ])('%s', (userAgent, platform, os, browser, device) => {
    expect(clientInfo(userAgent)).toStrictEqual({ platform, os, browser, device, location: null })
  })

  it('is unknown if its name is, and repeats nothing of the header', () => {
    for (const userAgent of ['', 'curl/8.9', '<script>alert(1)</script>', 'constructor', 'x'.repeat(512)])
      expect(clientInfo(userAgent)).toStrictEqual({
        platform: null,
        os: null,
        browser: null,
        device: 'desktop',
        location: null,
      })
    expect(clientInfo(null)).toBeNull()
  })

  it('takes no longer for a header that is made to be hard to parse', () => {
    for (const piece of ['Android ', 'Version/1.1', 'Version/', 'Mac OS X'])
      expectLinear(clientInfo, piece.repeat(8000))
  })
})

describe('an address that is shown', () => {
  it.each([
    ['192.0.2.77', '192.0.2.x'],
    ['::ffff:192.0.2.77', '192.0.2.x'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::x'],
    ['2001:0DB8:0001::6', '2001:db8:1::x'],
    ['::1', '0:0:0::x'],
    ['unknown', null],
    ['1.2', null],
    ['', null],
  ])('names only the network of %s', (ip, masked) => {
    expect(maskedIp(ip)).toBe(masked)
  })

  it('is empty once it is no longer known', () => {
    expect(maskedIp(null)).toBeNull()
  })
})
