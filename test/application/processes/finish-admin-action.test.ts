import { describe, expect, it } from 'vitest'
import { adminAuditLog } from '../../../application/administration/audit/admin-audit-log.ts'
import { verifyChain } from '../../../application/administration/audit/verify-chain.ts'
import { setAcls } from '../../../application/administration/acls/set-acls.ts'
import type { AdminAction } from '../../../application/ports/event-store.ts'
import { finishUnfinished } from '../../../application/processes/finish-unfinished.ts'
import { entryId, type AccountId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { world, type World } from '../support/world.ts'

const requestLife_ms = 120_000
const commandId = '01a1f8ef-9cd2-7050-9050-505050505050'

interface Stage {
  readonly on: World
  readonly ada: AccountId
  readonly bob: AccountId
  /** The request, as HTTP has it. */
  readonly caller: Awaited<ReturnType<World['as']>>
}

/** Ada, who may do everything, and a request of hers that names its entry. */
async function stage(mayRepeat = false): Promise<Stage> {
  const on = world()
  const [ada, bob] = [await on.newcomer('Ada'), await on.newcomer('Bob')]
  const root = on.requester().context
  await on.ports.aggregates.account.execute(ada, { type: 'SetAcls', acls: ['*'] }, root)
  return { on, ada, bob, caller: await request(on, ada, bob, mayRepeat) }
}

function request(on: World, ada: AccountId, bob: AccountId, mayRepeat: boolean) {
  const adminAction: AdminAction = {
    entryId: entryId(snowflake('4711')),
    commandId,
    adminId: ada,
    credential: 'session',
    action: 'set_acls',
    target: { type: 'user', id: bob },
  }
  return on.as(ada, { commandId, adminAction, reason: 'because', mayRepeat })
}

const act = ({ on, bob, caller }: Stage) => setAcls(on.ports)(caller, bob, ['user:lookup'])

const record = ({ on, ada, bob, caller }: Stage) =>
  adminAuditLog(on.ports).record(
    {
      action: 'set_acls',
      adminId: ada,
      credential: 'session',
      target: { type: 'user', id: bob },
      metadata: { acls: 'user:lookup' },
    },
    caller.context,
  )

async function finish(on: World) {
  on.restart()
  await on.ports.readModels.reached(0n)
  on.wait(requestLife_ms)
  const olderThan = on.now
  on.wait(1)
  return finishUnfinished(on.ports)(olderThan, on.now)
}

const entriesOf = async (on: World): Promise<readonly object[]> =>
  (await on.events()).filter(({ type }) => type === 'AdminActionRecorded').map(({ data }) => data)

describe('an administrator’s act whose process died before its entry was recorded', () => {
  async function interrupted(): Promise<Stage> {
    const found = await stage()
    await act(found)
    found.on.dieBefore('AdminActionRecorded')
    await expect(record(found)).rejects.toThrow('AdminActionRecorded')
    return found
  }

  it('gets the entry, which says that it was interrupted', async () => {
    const { on, ada, bob, caller } = await interrupted()
    expect(await entriesOf(on)).toEqual([])
    expect(await finish(on)).toStrictEqual({ finished: 1, failures: [] })
    expect(await entriesOf(on)).toMatchObject([
      {
        entryId: '4711',
        adminId: ada,
        credential: 'session',
        action: 'set_acls',
        targetType: 'user',
        targetId: bob,
        metadata: { interrupted: 'true' },
        reason: null,
        personalReason: 'because',
        actedAt: caller.context.now,
      },
    ])
    expect(await finish(on)).toStrictEqual({ finished: 0, failures: [] })
  })
  it('gets it once, however many finish it at once, and if the request is repeated', async () => {
    const found = await interrupted()
    const { on, ada, bob } = found
    await Promise.all(Array.from({ length: 6 }, () => finish(on)))
    const again = { ...found, caller: await request(on, ada, bob, true) }
    await act(again)
    await record(again)
    expect(await entriesOf(on)).toHaveLength(1)
  })
  it('gets it from the repeated request if that is faster', async () => {
    const found = await interrupted()
    found.on.restart()
    const again = { ...found, caller: await request(found.on, found.ada, found.bob, true) }
    await act(again)
    await record(again)
    expect(await finish(found.on)).toStrictEqual({ finished: 0, failures: [] })
    expect(await entriesOf(found.on)).toMatchObject([{ metadata: { acls: 'user:lookup' } }])
  })
  it('is reported as missing by a check of the log until then, and not afterwards', async () => {
    const { on } = await interrupted()
    const { store, ports } = on
    on.wait(3_600_000)
    const verified = () => verifyChain({ store, hashOf: ports.adminAuditHash, now: on.now })
    expect((await verified()).fault).toMatchObject({ at: '4711', what: 'missing' })
    await finish(on)
    expect((await verified()).fault).toBeUndefined()
  })
})

describe('an administrator’s act', () => {
  it('leaves nothing to finish if its entry is recorded', async () => {
    const found = await stage()
    await act(found)
    await record(found)
    expect(await finish(found.on)).toStrictEqual({ finished: 0, failures: [] })
    expect(await entriesOf(found.on)).toHaveLength(1)
  })
  it('never gets an entry if it was refused after it had left events', async () => {
    const found = await stage()
    await act(found)
    await adminAuditLog(found.on.ports).refused(found.caller.context, 'CONFLICT')
    expect(await finish(found.on)).toStrictEqual({ finished: 0, failures: [] })
    expect(await entriesOf(found.on)).toEqual([])
  })
  it('is recorded by the request alone if it changed nothing', async () => {
    const found = await stage()
    await act(found)
    await record(found)
    const { on, ada } = found
    const other = { ...found, caller: await on.as(ada, { reason: 'again' }) }
    await act(other)
    expect(await finish(on)).toStrictEqual({ finished: 0, failures: [] })
    await record(other)
    expect(await entriesOf(on)).toMatchObject([{ personalReason: 'because' }, { personalReason: 'again' }])
  })
})
