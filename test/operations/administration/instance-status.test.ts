import { describe, expect, it, onTestFinished } from 'vitest'
import { productVersion } from '../../../process/product-version.ts'
import { readModels } from '../../../projections/read-models.ts'
import { administrator } from '../../support/administrators.ts'
import { bodyOf, expectRefusal } from '../support/answers.ts'
import { openServer } from '../support/scene.ts'

const guildhall = await openServer({})
const admin = await administrator(guildhall, 'admin:authenticate', 'instance:config:view')
const stranger = await administrator(guildhall, 'admin:authenticate', 'jobs:view')
const get = (what: string, { token } = admin) => guildhall.request('GET', `/v1/admin/instance/${what}`, { token })

describe('Get instance status', () => {
  it('names the processes, the one that answers among them, and how far each read model has come', async () => {
    const status = bodyOf(await get('status'))
    const { process_id: own, processes, read_models: models } = status
    expect(processes).toContainEqual(expect.objectContaining({ id: own, version: productVersion }))
    expect((models as readonly { name: string }[]).map(({ name }) => name)).toEqual(readModels.map(({ name }) => name))
    expect(models).toContainEqual(expect.objectContaining({ name: 'accounts', parked_streams: 0 }))
    expect(Number(status['end'])).toBeGreaterThan(0)
  })

  it('says what the process lacks once it has looked', async () => {
    await expect.poll(async () => bodyOf(await get('status'))).toMatchObject({ ready: true, missing: [] })
  })

  it('names the streams that are parked, the oldest event first, and not what is only being built', async () => {
    const { pool } = guildhall.store.database
    await pool.query(`insert into read_models.parked (schema, stream, position, event_id, type, cause, reason) values
      ('members', 'guild-2', 9, '00000000-0000-7000-8000-000000000002', 'MemberJoined', 'unprojectable', 'no room for Ada'),
      ('accounts', 'account-1', 7, '00000000-0000-7000-8000-000000000001', 'AccountGone', 'unreadable', 'unknown type'),
      ('accounts_v9', 'account-1', 7, '00000000-0000-7000-8000-000000000001', 'AccountGone', 'unreadable', 'unknown type')`)
    onTestFinished(async () => void (await pool.query('delete from read_models.parked')))
    const status = bodyOf(await get('status'))
    expect(status['parked']).toEqual([
      {
        read_model: 'accounts',
        stream: 'account-1',
        position: '7',
        event_id: '00000000-0000-7000-8000-000000000001',
        event_type: 'AccountGone',
        cause: 'unreadable',
      },
      expect.objectContaining({ read_model: 'members', stream: 'guild-2', position: '9', cause: 'unprojectable' }),
    ])
    expect(status['read_models']).toContainEqual(expect.objectContaining({ name: 'accounts', parked_streams: 1 }))
    // What does not fit may name somebody: that stands in the log alone.
    expect(JSON.stringify(status)).not.toContain('Ada')
  })

  it('is refused without the right', async () => {
    expectRefusal(await get('status', stranger), 403, 'MISSING_ACL')
    expectRefusal(await get('metrics', stranger), 403, 'MISSING_ACL')
  })
})

describe('Get instance metrics', () => {
  it('counts requests and refusals of the process that answers, from its start on', async () => {
    const before = bodyOf(await get('metrics'))
    await get('status', stranger)
    const later = bodyOf(await get('metrics'))
    const grown = (member: string): number => Number(later[member]) - Number(before[member])
    expect(grown('requests')).toBeGreaterThanOrEqual(2)
    expect(grown('refusals')).toBeGreaterThanOrEqual(1)
    expect(grown('requests_seconds')).toBeGreaterThan(0)
    expect(later['process_id']).toBe(bodyOf(await get('status'))['process_id'])
    expect(later).toMatchObject({ gateway_sessions: expect.any(Number), read_model_lag_events_max: expect.any(String) })
  })
})
