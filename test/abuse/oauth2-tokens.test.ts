import { describe, it } from 'vitest'
import { codeFor, newClient, tokensFor } from '../operations/support/oauth2.ts'
import { expectRefusal } from '../operations/support/answers.ts'
import { openServer } from '../operations/support/scene.ts'

/** A credential of one kind does not serve as another, however it is sent. */

const guildhall = await openServer()
const ada = await guildhall.register()
const engine = await newClient(guildhall, ada)
const tokens = await tokensFor(guildhall, ada, engine, 'identify email guilds')
const code = await codeFor(guildhall, ada, engine)

describe('token confusion around OAuth2', () => {
  it.each([
    ['a refresh token as an access token', () => `Bearer ${tokens.refresh}`],
    ['an authorisation code as an access token', () => `Bearer ${code}`],
    ['a client secret as an access token', () => `Bearer ${engine.clientSecret}`],
    ['a bot token as an access token', () => `Bearer ${engine.botToken}`],
    ['an access token as a session', () => tokens.access],
    ['an access token as a bot', () => `Bot ${tokens.access}`],
    ['an access token as the secret of a bot', () => `Bot ${engine.id}.${tokens.access}`],
    ['a client secret as the secret of a bot', () => `Bot ${engine.id}.${engine.clientSecret}`],
    ['an access token as an Admin key', () => `Admin ${tokens.access}`],
    ['an access token behind a scheme in another case', () => `bearer ${tokens.access}`],
    ['an access token behind two spaces', () => `Bearer  ${tokens.access}`],
    ['client credentials', () => `Basic ${Buffer.from(`${engine.id}:${engine.clientSecret}`).toString('base64')}`],
  ])('refuses %s', async (_, header) => {
    for (const path of ['/v1/users/@me', '/v1/oauth2/userinfo', '/v1/admin/users/@me']) {
      const answer = await guildhall.request('GET', path, { token: header() })
      expectRefusal(answer, 401, 'UNAUTHORIZED')
    }
  })
})
