import { describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import { definedPermissions } from '../../../../domain/permissions/permission-bits.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal, listOf } from '../../support/answers.ts'
import { openScene } from '../../support/scene.ts'

/** Ids and masks as JSON integers, which bodies may have besides decimal texts: none of their digits is lost. */

const { guildhall, ada, brian, home } = await openScene()
const headers = { 'x-service-features': 'channel_threads,view_channel_members_permission' }
/** Sends the text of a body: no JavaScript number can hold its integers. */
const send = (method: string, path: string, body?: string, account: TestAccount = ada) =>
  guildhall.request(method, path, { token: account.token, headers, ...(body === undefined ? {} : { body }) })
/** Every defined bit, which takes more than 53 bits. */
const mask = definedPermissions.toString()
const masks = (more: string) =>
  `{"name":"Home","template":{"name":"x","roles":[{"id":1,"name":"a","permissions":${more}}],"channels":[]}}`

describe('a template with integers', () => {
  it('distinguishes two ids that a number would not', async () => {
    const [one, other, room] = ['9007199254740992', '9007199254740993', '1511111111111111111']
    const body = `{"name":"Home","template":{"name":"x","system_channel_id":${other},
      "roles":[{"id":${one},"name":"one","permissions":${mask}},{"id":${other},"name":"other","permissions_new":${mask}}],
      "channels":[
        {"id":${room},"type":4,"name":"room","position":0},
        {"id":${one},"type":0,"name":"one","position":1,"parent_id":${room}},
        {"id":${other},"type":0,"name":"other","position":2,"parent_id":"${room}",
         "permission_overwrites":[{"id":${other},"type":0,"allow":${mask},"deny":0}]}]}}`
    const created = bodyOf(await send('POST', '/v1/guilds', body))
    const made = bodyOf(await send('GET', `/v1/guilds/${String(created['id'])}`))
    const roles = made['roles'] as readonly Record<string, unknown>[]
    const channels = made['channels'] as readonly Record<string, unknown>[]
    const named = (list: typeof roles, name: string) => list.find((item) => item['name'] === name)
    expect(named(roles, 'one')).toMatchObject({ permissions: mask })
    expect(named(roles, 'other')).toMatchObject({ permissions: mask })
    const category = named(channels, 'room')?.['id']
    expect(channels.map(({ parent_id: parent }) => parent)).toEqual([undefined, category, category])
    expect(made['system_channel_id']).toBe(named(channels, 'other')?.['id'])
    const applied = { id: named(roles, 'other')?.['id'], type: 0, allow: mask, deny: '0' }
    expect(named(channels, 'other')).toMatchObject({ permission_overwrites: [applied] })
  })

  it.each(['-9007199254740993', '9007199254740993.5', '9007199254740993e1', '1e400', '0.5'])(
    'is refused for a mask that is %s',
    async (sent) => {
      expectRefusal(
        await send('POST', '/v1/guilds', masks(sent)),
        400,
        sent === '1e400' ? 'INVALID_FORM_BODY' : 'GUILD_TEMPLATE_INVALID',
      )
    },
  )

  it('is refused for a mask with too many digits, and for an id that is not an integer', async () => {
    expectRefusal(await send('POST', '/v1/guilds', masks('1'.repeat(100))), 400, 'GUILD_TEMPLATE_INVALID')
    const fraction = masks('0').replace('"id":1', '"id":9007199254740993.5')
    expectFields(await send('POST', '/v1/guilds', fraction), field('template.roles.0.id', 'INVALID_FORMAT'))
  })
})

describe('integers in bodies of other operations', () => {
  it('are masks of roles', async () => {
    const roles = `/v1/guilds/${home.id}/roles`
    const role = bodyOf(await send('POST', roles, `{"name":"all","permissions":${mask}}`))
    expect(role).toMatchObject({ permissions: mask })
    const path = `${roles}/${String(role['id'])}`
    expect(bodyOf(await send('PATCH', path, '{"permissions":36028797018963969}'))).toMatchObject({
      permissions: (36028797018963969n & definedPermissions).toString(),
    })
    for (const [sent, code] of [
      ['-36028797018963969', 'INVALID_INTEGER_FORMAT'],
      ['36028797018963969.5', 'INVALID_INTEGER_FORMAT'],
      ['3.6e17', 'INVALID_INTEGER_FORMAT'],
      ['9223372036854775808', 'INTEGER_OUT_OF_INT64_RANGE'],
    ] as const)
      expectFields(await send('PATCH', path, `{"permissions":${sent}}`), field('permissions', code))
  })

  it('are ids and masks of overwrites, and ids of channels', async () => {
    const path = `/v1/guilds/${home.id}/channels`
    const category = String(bodyOf(await send('POST', path, '{"type":4,"name":"room"}'))['id'])
    const overwrite = `{"id":${brian.id},"type":1,"allow":${mask}}`
    const channel = await send(
      'POST',
      path,
      `{"type":0,"name":"here","parent_id":${category},"permission_overwrites":[${overwrite}]}`,
    )
    const made = bodyOf(channel)
    expect(made).toMatchObject({
      parent_id: category,
      permission_overwrites: [{ id: brian.id, type: 1, allow: mask, deny: '0' }],
    })
    const permissions = `/v1/channels/${String(made['id'])}/permissions/${home.id}`
    expect((await send('PUT', permissions, `{"type":0,"deny":${mask},"allow":0}`)).status).toBe(204)
    const read = bodyOf(await send('GET', `/v1/channels/${String(made['id'])}`))
    expect(read['permission_overwrites']).toContainEqual({ id: home.id, type: 0, allow: '0', deny: mask })
    expect((await send('PATCH', path, `[{"id":${String(made['id'])},"parent_id":null}]`)).status).toBe(204)
    expect(bodyOf(await send('GET', `/v1/channels/${String(made['id'])}`))).toMatchObject({ parent_id: null })
  })

  it('are ids of messages and nonces', async () => {
    const messages = `/v1/channels/${home.channel}/messages`
    const first = bodyOf(await send('POST', messages, '{"content":"first","nonce":1511111111111111111}'))
    expect(first).toMatchObject({ nonce: '1511111111111111111' })
    const answer = `{"content":"reply","message_reference":{"message_id":${String(first['id'])}}}`
    expect(bodyOf(await send('POST', messages, answer))).toMatchObject({
      message_reference: { message_id: first['id'] },
    })
  })

  it('are ids of roles and members', async () => {
    const role = bodyOf(await send('POST', `/v1/guilds/${home.id}/roles`, '{"name":"given"}'))
    const path = `/v1/guilds/${home.id}/members/${brian.id}`
    expect(bodyOf(await send('PATCH', path, `{"roles":[${String(role['id'])}]}`))).toMatchObject({
      roles: [role['id']],
    })
    const order = `[{"id":${String(role['id'])},"position":1}]`
    expect((await send('PATCH', `/v1/guilds/${home.id}/roles`, order)).status).toBeLessThan(300)
    expect(listOf(await send('GET', `/v1/guilds/${home.id}/roles`)).map(({ id }) => id)).toContain(role['id'])
  })

  it('are refused if they are fractions, have exponents, are negative or too large', async () => {
    const move = (id: string) => send('PATCH', `/v1/guilds/${home.id}/channels`, `[{"id":${id}}]`)
    expectFields(await move('1511111111111111111.5'), field('0.id', 'INVALID_FORMAT'))
    expectFields(await move('1511111111111111111e3'), field('0.id', 'INVALID_FORMAT'))
    expectFields(await move('-1511111111111111111'), field('0.id', 'INVALID_SNOWFLAKE_FORMAT'))
    expectFields(await move('9223372036854775808'), field('0.id', 'SNOWFLAKE_OUT_OF_RANGE'))
  })
})
