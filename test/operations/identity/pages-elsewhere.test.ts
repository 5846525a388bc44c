import { describe, expect, it, vi } from 'vitest'
import { bodyOf } from '../support/answers.ts'
import { openServer } from '../support/scene.ts'
import { patience_ms } from '../../support/pace.ts'

const client = 'https://client.example.org/app'
const guildhall = await openServer({ webappUrl: client })

describe('with WEBAPP_URL', () => {
  it.each(['/verify', '/invite/abc', '/oauth2/authorize?client_id=1&scope=identify', '/auth/sso/callback?code=a'])(
    'a page sends people to the same address at the client: %s',
    async (path) => {
      const response = await fetch(`${guildhall.url}${path}`, { redirect: 'manual' })
      expect([response.status, response.headers.get('location')]).toEqual([302, `${client}${path}`])
    },
  )

  it('a mail and an answer name the client, and the API its own address', async () => {
    const ada = await guildhall.register()
    await guildhall.request('POST', '/v1/auth/forgot', { body: { email: ada.email } })
    const { text } = await vi.waitFor(() => guildhall.mailTo(ada.email), { timeout: patience_ms })
    expect(text).toContain(`${client}/reset#token=`)
    const { endpoints } = bodyOf(await guildhall.request('GET', '/.well-known/guildhall'))
    expect(endpoints).toMatchObject({ webapp: client, invite: `${client}/invite`, api: guildhall.url })
  })

  it('a page takes no form', async () => {
    expect(await guildhall.request('POST', '/verify', { body: 'token=x' })).toMatchObject({ status: 404 })
  })
})
