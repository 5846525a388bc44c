import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TestAccount, TestAnswer } from '../../../support/test-guildhall.ts'
import type { FieldCode } from '../../../../domain/kernel/field-codes.ts'
import { field, type FieldError } from '../../../../domain/kernel/refusal.ts'
import { bodyOf, expectFields, expectRefusal } from '../../support/answers.ts'
import { connections } from '../../support/connected.ts'
import { emptyFolder, initialSettings } from '../../support/user-settings.ts'
import { openServer } from '../../support/scene.ts'

let ada: TestAccount
const { connect, end } = connections()

const guildhall = await openServer()
beforeEach(async () => {
  ada = await guildhall.register()
})
afterEach(end)

const settings = async ({ token }: { readonly token: string }) =>
  bodyOf(await guildhall.request('GET', '/v1/users/@me/settings', { token }))
const patch = ({ token }: { readonly token: string }, body: unknown) =>
  guildhall.request('PATCH', '/v1/users/@me/settings', { token, body })

function expectValidation(answer: TestAnswer, ...fields: readonly FieldError[]): void {
  expectRefusal(answer, 400, 'VALIDATION_ERROR')
  expect(answer.body).toMatchObject({ errors: fields })
}

describe('Modify user settings', () => {
  const malformed: readonly (readonly [unknown, string, FieldCode])[] = [
    [{ status: 'away' }, 'status', 'INVALID_FORMAT'],
    [{ status: 'offline' }, 'status', 'INVALID_FORMAT'],
    [{ status_resets_at: '2026-02-30T00:00:00Z' }, 'status_resets_at', 'INVALID_ISO_TIMESTAMP'],
    [{ status_resets_at: '2026-13-01T00:00:00Z' }, 'status_resets_at', 'INVALID_ISO_TIMESTAMP'],
    [{ status_resets_at: 1 }, 'status_resets_at', 'INVALID_FORMAT'],
    [{ theme: 'pink' }, 'theme', 'INVALID_FORMAT'],
    [{ theme: null }, 'theme', 'INVALID_FORMAT'],
    [{ locale: 'tlh' }, 'locale', 'INVALID_FORMAT'],
    [{ restricted_guilds: ['01'] }, 'restricted_guilds.0', 'INVALID_SNOWFLAKE_FORMAT'],
    [{ restricted_guilds: ['9223372036854775808'] }, 'restricted_guilds.0', 'SNOWFLAKE_OUT_OF_RANGE'],
    [{ restricted_guilds: Array.from({ length: 201 }, () => '1') }, 'restricted_guilds', 'INVALID_FORMAT'],
    [{ gif_auto_play: 1 }, 'gif_auto_play', 'INVALID_FORMAT'],
    [{ animate_stickers: 3 }, 'animate_stickers', 'INVALID_FORMAT'],
    [{ render_spoilers: -1 }, 'render_spoilers', 'INVALID_FORMAT'],
    [{ friend_source_flags: 8 }, 'friend_source_flags', 'INVALID_FORMAT'],
    [{ flags: 8 }, 'flags', 'INVALID_FORMAT'],
    [{ incoming_call_flags: 64 }, 'incoming_call_flags', 'INVALID_FORMAT'],
    [{ group_dm_add_permission_flags: 32 }, 'group_dm_add_permission_flags', 'INVALID_FORMAT'],
    [{ afk_timeout: 59 }, 'afk_timeout', 'INVALID_FORMAT'],
    [{ afk_timeout: 601 }, 'afk_timeout', 'INVALID_FORMAT'],
    [{ time_format: 3 }, 'time_format', 'INVALID_FORMAT'],
    [{ trusted_domains: [''] }, 'trusted_domains.0', 'STRING_LENGTH_INVALID'],
    [{ trusted_domains: ['x'.repeat(254)] }, 'trusted_domains.0', 'STRING_LENGTH_INVALID'],
    [{ trusted_domains: Array.from({ length: 1001 }, () => 'x') }, 'trusted_domains', 'INVALID_FORMAT'],
    [{ sensitive_content_guild_filter: 2 }, 'sensitive_content_guild_filter', 'INVALID_FORMAT'],
    [{ profile_privacy: 3 }, 'profile_privacy', 'INVALID_FORMAT'],
    [{ custom_status: 'busy' }, 'custom_status', 'INVALID_FORMAT'],
    [{ custom_status: { text: 'x'.repeat(129) } }, 'custom_status.text', 'STRING_LENGTH_INVALID'],
    [{ custom_status: { emoji_name: 'x'.repeat(33) } }, 'custom_status.emoji_name', 'STRING_LENGTH_INVALID'],
    [{ custom_status: { emoji_id: 'x' } }, 'custom_status.emoji_id', 'INVALID_SNOWFLAKE_FORMAT'],
    [{ custom_status: { text: 'a\u0000b' } }, 'custom_status.text', 'INVALID_FORMAT'],
    [{ guild_folders: Array.from({ length: 101 }, () => emptyFolder) }, 'guild_folders', 'INVALID_FORMAT'],
    [{ guild_folders: [{ ...emptyFolder, id: -2 }] }, 'guild_folders.0.id', 'INVALID_FORMAT'],
    [{ guild_folders: [{ ...emptyFolder, name: 'x'.repeat(101) }] }, 'guild_folders.0.name', 'STRING_LENGTH_INVALID'],
    [{ guild_folders: [{ ...emptyFolder, color: 2 ** 24 }] }, 'guild_folders.0.color', 'COLOR_VALUE_TOO_HIGH'],
    [{ guild_folders: [{ ...emptyFolder, icon: 'moon' }] }, 'guild_folders.0.icon', 'INVALID_FORMAT'],
    [{ guild_folders: [{ id: 1 }] }, 'guild_folders.0.guild_ids', 'INVALID_FORMAT'],
    [
      { guild_folders: [{ id: 1, guild_ids: Array.from({ length: 201 }, () => '1') }] },
      'guild_folders.0.guild_ids',
      'INVALID_FORMAT',
    ],
    [{ synced_preferences: 1 }, 'synced_preferences', 'INVALID_FORMAT'],
  ]

  it('refuses what it cannot read, and leaves all as it was', async () => {
    const client = await connect(guildhall, ada)
    for (const [body, path, code] of malformed) {
      expectFields(await patch(ada, { developer_mode: true, ...(body as object) }), field(path, code))
    }
    expectFields(
      await patch(ada, { theme: 'pink', afk_timeout: 1 }),
      field('theme', 'INVALID_FORMAT'),
      field('afk_timeout', 'INVALID_FORMAT'),
    )
    expectFields(await patch(ada, 'x'.repeat(2 ** 20 + 1)), field('body', 'TOO_LARGE'))
    expect(await settings(ada)).toStrictEqual(initialSettings)
    expect(client.client.dispatches).toHaveLength(1)
  })

  it('refuses with VALIDATION_ERROR settings that the account may not choose, and leaves all as it was', async () => {
    const { token } = bodyOf(await guildhall.request('POST', '/v1/auth/register', { body: { consent: true } }))
    const child = { token: String(token) }
    const before = await settings(child)
    expectValidation(
      await patch(child, { theme: 'coal', sensitive_content_guild_filter: 0 }),
      field('sensitive_content_guild_filter', 'AGE_RESTRICTED'),
    )
    expectValidation(
      await patch(child, { theme: 'coal', trusted_domains: ['*', 'x.org'] }),
      field('trusted_domains', 'INVALID_TRUSTED_DOMAINS'),
    )
    const tooLarge = Buffer.alloc(262_145).toString('base64')
    expectValidation(
      await patch(child, { theme: 'coal', synced_preferences: tooLarge }),
      field('synced_preferences', 'BASE64_LENGTH_INVALID'),
    )
    expectValidation(
      await patch(child, { theme: 'coal', synced_preferences: '***' }),
      field('synced_preferences', 'INVALID_BASE64_FORMAT'),
    )
    expect(await settings(child)).toStrictEqual(before)
  })
})
