import { describe, expect, it } from 'vitest'
import { openPage } from '../support/pages.ts'
import { openServer } from '../support/scene.ts'

const guildhall = await openServer()
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'

describe('at an address where nothing is', () => {
  it.each(['/nothing', '/v1/nothing', '/invite/', '/pages/nothing', '/docs/nothing', '/media/nothing', '/%zz'])(
    'a browser gets a page with the same status, and a program the code: %s',
    async (path) => {
      const page = await openPage(`${guildhall.url}${path}`, { accept: browser })
      expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(page.text).toContain('<h1>Page not found</h1>')
      expect(page.text).toContain('<a href="/">')
      const { status, body, headers } = await guildhall.request('GET', path)
      expect([status, body]).toMatchObject([404, { code: 'NOT_FOUND' }])
      for (const { vary } of [page, { headers }].map((each) => ({ vary: each.headers.get('vary') })))
        expect(vary).toContain('Accept')
    },
  )

  it('the page is in the language of its reader', async () => {
    const page = await openPage(`${guildhall.url}/nothing`, { accept: browser, 'accept-language': 'de' })
    expect(page.text).toContain('<html lang="de">')
    expect(page.text).toContain('Seite nicht gefunden')
  })

  it.each([
    '*/*',
    'application/json',
    'application/json, text/html',
    'text/html;q=0.5, application/json',
    'text/html;q=0',
  ])('a program reads JSON if it does not prefer pages: %s', async (accept) => {
    const answer = await guildhall.request('GET', '/nothing', { headers: { accept } })
    expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
  })
})

describe('every other refusal', () => {
  it('is a page where people open the address', async () => {
    const headers = { accept: browser, 'sec-fetch-site': 'cross-site' }
    const refused = await fetch(`${guildhall.url}/verify`, { method: 'POST', headers })
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('role="alert"')])
  })

  it('stays JSON where an operation refuses, whatever the client prefers', async () => {
    const { status, headers } = await fetch(`${guildhall.url}/v1/users/@me`, { headers: { accept: browser } })
    expect([status, headers.get('content-type')]).toEqual([401, 'application/json'])
  })
})
