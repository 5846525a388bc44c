import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { laidDatabase } from '../../support/test-database.ts'

const { database, close } = await laidDatabase()
afterAll(close)

const rows = async (text: string, values: readonly unknown[] = []) =>
  (await database.pool.query(text, [...values])).rows
const refusal = { code: 'GH001' }
const token = randomUUID()

beforeEach(async () => {
  await rows('delete from read_models.checkpoints')
  await rows(`insert into read_models.checkpoints (schema, name, version, position)
    values ('guilds', 'guilds', 1, 5), ('invites', 'invites', 1, 5), ('members', 'members', 1, 3)`)
})

const standing = async (): Promise<Readonly<Record<string, number>>> => {
  const found = await rows('select schema, position::int4 from read_models.checkpoints order by schema')
  return Object.fromEntries(found.map(({ schema, position }) => [schema, position]))
}

/** The values that the functions take for read models of version 1 at some tables. */
async function moving(before: number, after: number, own: readonly string[], known = own) {
  const numbers = await rows(`select to_regnamespace(s)::oid::text as id from unnest($1::text[]) s`, [own])
  return [before, after, randomUUID(), own, numbers.map(({ id }) => id), known, known.map(() => 1)]
}
const move = async (...given: Parameters<typeof moving>) =>
  rows('select read_models.move_checkpoints($1, $2, $3, $4, $5, $6, $7)', await moving(...given))
const gather = async (...given: Parameters<typeof moving>) =>
  rows('select read_models.gather_checkpoints($1, $2, $3, $4, $5, $6, $7, $8)', [...(await moving(...given)), token])
const moveJoint = async (before: number, after: number, event: string | null = null, by = token) =>
  rows('select read_models.move_joint_checkpoint($1, $2, $3, $4)', [before, after, event, by])

describe('checkpoints that were gathered', () => {
  it('move as one row, with the event that they stand at, and others stay', async () => {
    await gather(5, 6, ['guilds', 'invites'])
    const event = randomUUID()
    await moveJoint(6, 8, event)
    expect(await standing()).toStrictEqual({ guilds: 8, invites: 8, members: 3 })
    expect(await rows('select distinct event_id from read_models.checkpoints where position = 8')).toStrictEqual([
      { event_id: event },
    ])
    await moveJoint(8, 8)
    expect(await rows('select distinct event_id from read_models.checkpoints where position = 8')).toStrictEqual([
      { event_id: event },
    ])
  })

  it('do not move from elsewhere, or by another token', async () => {
    await gather(5, 6, ['guilds', 'invites'])
    await expect(moveJoint(5, 7)).rejects.toMatchObject(refusal)
    await expect(moveJoint(6, 7, null, randomUUID())).rejects.toMatchObject(refusal)
    expect(await standing()).toStrictEqual({ guilds: 6, invites: 6, members: 3 })
  })

  it.each([
    ['changed', `update read_models.checkpoints set position = 9 where schema = 'members'`],
    ['removed', `delete from read_models.checkpoints where schema = 'invites'`],
    ['added', `insert into read_models.checkpoints (schema, name, version, position) values ('roles', 'roles', 1, 6)`],
  ])('move no more by that token once a checkpoint is %s', async (_what, statement) => {
    await gather(5, 6, ['guilds', 'invites'])
    await rows(statement)
    await expect(moveJoint(6, 7)).rejects.toMatchObject(refusal)
  })

  it('move no more by that token once others moved by themselves', async () => {
    await gather(5, 6, ['guilds', 'invites'])
    await move(3, 6, ['members'])
    await expect(moveJoint(6, 7)).rejects.toMatchObject(refusal)
    await expect(gather(6, 7, ['guilds', 'invites'], ['guilds', 'invites', 'members'])).rejects.toMatchObject(refusal)
    expect(await standing()).toStrictEqual({ guilds: 6, invites: 6, members: 6 })
    await gather(6, 7, ['guilds', 'invites', 'members'])
    await moveJoint(7, 8)
    expect(await standing()).toStrictEqual({ guilds: 8, invites: 8, members: 8 })
  })

  it('move one by one for a process of the version before', async () => {
    await gather(5, 6, ['guilds', 'invites'])
    const event = randomUUID()
    await moveJoint(6, 7, event)
    await move(7, 7, ['guilds'])
    await move(7, 9, ['guilds', 'invites'])
    expect(await standing()).toStrictEqual({ guilds: 9, invites: 9, members: 3 })
    await expect(moveJoint(7, 8)).rejects.toMatchObject(refusal)
  })

  it('leave one behind that is gathered no more, with its event', async () => {
    await gather(5, 6, ['guilds', 'invites'])
    const event = randomUUID()
    await moveJoint(6, 7, event)
    await gather(7, 8, ['guilds'])
    await moveJoint(8, 9)
    expect(await standing()).toStrictEqual({ guilds: 9, invites: 7, members: 3 })
    expect(await rows(`select event_id from read_models.checkpoints where schema = 'invites'`)).toStrictEqual([
      { event_id: event },
    ])
  })

  it('are not gathered with other tables than these', async () => {
    const given = await moving(5, 6, ['guilds', 'invites'])
    given[4] = ['1', '2']
    await expect(
      rows('select read_models.gather_checkpoints($1, $2, $3, $4, $5, $6, $7, $8)', [...given, token]),
    ).rejects.toMatchObject(refusal)
    expect(await standing()).toStrictEqual({ guilds: 5, invites: 5, members: 3 })
  })
})

describe('the lock on checkpoints', () => {
  it('is taken while others gather, write and move them, and nobody waits for ever', async () => {
    const inTurn = async (act: () => Promise<unknown>): Promise<void> => {
      for (let time = 0; time < 100; time += 1) await act()
    }
    const lock = () => rows('begin; lock table read_models.checkpoints in exclusive mode; commit')
    const write = () => rows(`update read_models.checkpoints set event_id = null`)
    const ignoreRefusal = (error: unknown) => expect(error).toMatchObject(refusal)
    await Promise.all([
      inTurn(lock),
      inTurn(write),
      inTurn(() => gather(5, 5, ['guilds', 'invites'])),
      inTurn(() => moveJoint(5, 5).catch(ignoreRefusal)),
    ])
    expect(await standing()).toStrictEqual({ guilds: 5, invites: 5, members: 3 })
  })

  it('keeps gathered ones from moving until its end, and a swap in it is noticed', async () => {
    await gather(5, 6, ['guilds', 'invites'])
    const holder = await database.pool.connect()
    try {
      await holder.query('begin; lock table read_models.checkpoints in exclusive mode')
      const outcome = moveJoint(6, 7).then(
        () => 'moved',
        ({ code }: { readonly code: string }) => code,
      )
      await holder.query(`delete from read_models.checkpoints where schema = 'members'`)
      await expect
        .poll(() =>
          rows(`select from pg_locks where not granted and relation = 'read_models.joint_checkpoint'::regclass`),
        )
        .toHaveLength(1)
      await holder.query('commit')
      expect(await outcome).toBe(refusal.code)
      expect(await standing()).toStrictEqual({ guilds: 6, invites: 6 })
    } finally {
      holder.release()
    }
  })
})
