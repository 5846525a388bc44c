import { describe, expect, it, vi } from 'vitest'
import type { Freshness } from '../../application/aggregates/state-cache.ts'
import type { CommandContext } from '../../application/commands/command-context.ts'
import { messageTypes } from '../../domain/messages/message-types.ts'
import { openServer } from '../operations/support/scene.ts'
import { arenaOn } from './arena.ts'
import type { MoveName } from './moves.ts'
import { newRound, type Round } from './round.ts'

/**
 * A creation that was allowed is written after the end of its parent. Sessions must still know what a new READY would contain.
 */

const guildhall = await openServer()
const { aggregates, messages } = guildhall.ports
const arena = arenaOn(guildhall)

type Execute = (
  id: string,
  command: { readonly type: string },
  context: CommandContext,
  startFrom?: Freshness,
) => Promise<unknown>

/** Ends something just before the first command of a type is executed. */
function before(aggregate: 'thread' | 'invite' | 'membership', type: string, end: () => Promise<unknown>): void {
  const target = aggregates[aggregate] as unknown as Record<'execute', Execute>
  const execute = target.execute.bind(target)
  let isHeld = false
  vi.spyOn(target, 'execute').mockImplementation(async (id, command, context, startFrom) => {
    if (!isHeld && command.type === type) {
      isHeld = true
      await end()
    }
    return execute(id, command, context, startFrom)
  })
}

/** Ends something just before the next message of an account is posted. System messages are posted by followers. */
function beforeMessage(end: () => Promise<unknown>): void {
  const post = messages.post.bind(messages)
  let isHeld = false
  vi.spyOn(messages, 'post').mockImplementation(async (posting) => {
    if (!isHeld && posting.message.type === messageTypes.default) {
      isHeld = true
      await end()
    }
    return post(posting)
  })
}

type Hold = (end: () => Promise<unknown>) => void

/** Makes one move while another is held; returns the answer to the held one, and what sessions have permanently wrong. */
async function held(hold: Hold, making: MoveName, ending: MoveName) {
  const round: Round = await newRound(arena)
  try {
    let ended = 0
    hold(async () => {
      ended = (await round.move(ending)).status
    })
    const { status } = await round.move(making)
    expect(ended).toBeLessThan(300)
    expect(ended).toBeGreaterThan(0)
    return { status, wrong: await round.differences() }
  } finally {
    vi.restoreAllMocks()
    round.end()
  }
}

const onThread =
  (type: string): Hold =>
  (end) =>
    before('thread', type, end)

describe('an addition to a thread after the end of its channel', () => {
  it.each<[MoveName, string]>([
    ['write in thread as guest', 'TakeMessage'],
    ['join thread', 'AddThreadMember'],
    ['add to secret thread', 'AddThreadMember'],
    ['start thread', 'StartThread'],
    ['start secret thread', 'StartThread'],
    ['start thread from message', 'StartThread'],
  ])('is refused, and no session knows of it: %s', async (making, type) => {
    expect(await held(onThread(type), making, 'delete channel')).toStrictEqual({ status: 404, wrong: [] })
    expect(await held(onThread(type), making, 'delete guild')).toStrictEqual({ status: 404, wrong: [] })
  })

  it.each<[MoveName, string]>([
    ['rename thread', 'ChangeThread'],
    ['archive thread', 'ChangeThread'],
  ])('is sent to no session: %s', async (making, type) => {
    expect((await held(onThread(type), making, 'delete channel')).wrong).toStrictEqual([])
  })

  it('is sent to no session if only the newcomer can no longer see the channel', async () => {
    expect((await held(onThread('TakeMessage'), 'write in thread as guest', 'hide channel')).wrong).toStrictEqual([])
    expect((await held(onThread('StartThread'), 'start thread', 'hide channel')).wrong).toStrictEqual([])
  })
})

describe('a message after the end of its place', () => {
  it.each<[MoveName, MoveName]>([
    ['write in channel', 'delete channel'],
    ['write in channel', 'delete guild'],
    ['write in thread as owner', 'delete thread'],
    ['write in thread as owner', 'delete channel'],
    ['write in secret thread', 'delete secret thread'],
    ['write in secret thread', 'leave secret thread'],
    ['write in group', 'expel from group'],
    ['write in group as guest', 'leave group'],
    ['write directly', 'close direct messages'],
  ])('is known to no session that does not know the place: %s, %s', async (making, ending) => {
    expect((await held(beforeMessage, making, ending)).wrong).toStrictEqual([])
  })
})

describe('a creation that names something just deleted', () => {
  it('is a role that no member is shown with', async () => {
    const hold: Hold = (end) => before('membership', 'AddMemberRole', end)
    expect((await held(hold, 'give role', 'delete role')).wrong).toStrictEqual([])
  })

  it('is an invite that is sent as it is listed', async () => {
    const hold: Hold = (end) => before('invite', 'CreateInvite', end)
    expect(await held(hold, 'make invite', 'delete channel')).toStrictEqual({ status: 200, wrong: [] })
  })
})
