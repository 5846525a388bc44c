import { describe, expect, it } from 'vitest'
import { messagesIn } from '../../../adapters/http/errors/messages.ts'
import { bodyOf } from '../support/answers.ts'
import { openServer } from '../support/scene.ts'

/** Messages of errors are in the account's language, or without an account in that of Accept-Language. */

const guildhall = await openServer()
const { de, en } = messagesIn
const german = { 'accept-language': 'de-CH, en;q=0.5' }
const noGuild = '/v1/guilds/1'

describe('the messages of an error', () => {
  it('are in the language of Accept-Language if the account is not known, else in English', async () => {
    const asked = (language?: string) =>
      guildhall.request('GET', noGuild, language === undefined ? {} : { headers: { 'accept-language': language } })
    for (const [language, { errors }] of [
      ['de', de],
      ['fr, de;q=0', en],
      ['xx-YY', en],
      ['en, de;q=0.9', en],
      ['nonsense;;q=,', en],
    ] as const)
      expect([language, (await asked(language)).body]).toMatchObject([
        language,
        { code: 'UNAUTHORIZED', message: errors.UNAUTHORIZED },
      ])
    expect((await asked()).body).toMatchObject({ message: en.errors.UNAUTHORIZED })
  })

  it('say of each path what is wrong, in the same language', async () => {
    const answer = await guildhall.request('POST', '/v1/auth/register', { body: { username: '' }, headers: german })
    const { errors } = answer.body as {
      errors: readonly {
        path: string
        code: keyof typeof de.fields
        reason?: keyof typeof de.reasons
        message: string
      }[]
    }
    expect(errors.length).toBeGreaterThan(0)
    expect(answer.body).toMatchObject({ message: `${errors[0]?.path}: ${errors[0]?.message}` })
    for (const { code, reason, message } of errors)
      expect(message).toBe(reason && code === 'INVALID_FORMAT' ? de.reasons[reason] : de.fields[code])
  })

  it("are in the account's own language, whatever the header says", async () => {
    const { token } = await guildhall.register()
    const read = async (headers = {}) => (await guildhall.request('GET', noGuild, { token, headers })).body
    const stored = async (locale: string) => {
      const set = await guildhall.request('PATCH', '/v1/users/@me/settings', { token, body: { locale } })
      expect(bodyOf(set)['locale']).toBe(locale)
    }
    expect(await read(german)).toMatchObject({ message: en.errors.UNKNOWN_GUILD })
    await stored('de')
    expect(await read()).toMatchObject({ message: de.errors.UNKNOWN_GUILD })
    expect(await read({ 'accept-language': 'en' })).toMatchObject({ message: de.errors.UNKNOWN_GUILD })
    await stored('fr')
    expect(await read(german)).toMatchObject({ message: en.errors.UNKNOWN_GUILD })
  })

  it('are English if nothing says otherwise: unknown paths, and those of no operation', async () => {
    expect((await guildhall.request('GET', '/v1/nowhere')).body).toMatchObject({ message: en.errors.NOT_FOUND })
    expect((await guildhall.request('GET', '/v1/nowhere', { headers: german })).body).toMatchObject({
      message: de.errors.NOT_FOUND,
    })
    expect((await guildhall.request('GET', '/docs/nowhere', { headers: german })).body).toMatchObject({
      code: 'NOT_FOUND',
      message: de.errors.NOT_FOUND,
    })
  })

  it('are English in the errors of OAuth2', async () => {
    const answer = await guildhall.request('POST', '/v1/oauth2/token', { body: {}, headers: german })
    expect(answer.status).toBe(400)
    const { error_description: text } = answer.body as { error_description?: string }
    if (text !== undefined) expect(text).toMatch(/\b(?:the|is|no|not|a)\b/i)
  })
})
