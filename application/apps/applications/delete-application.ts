import { botOf, type AccountId, type ApplicationId } from '../../../domain/ids/ids.ts'
import { streamName } from '../../../domain/streams.ts'
import { attempts_max } from '../../aggregates/execute.ts'
import type { Caller } from '../../caller.ts'
import { eventIdOf, type CommandContext } from '../../commands/command-context.ts'
import { finishingContext, followingContext } from '../../commands/following-context.ts'
import { Refused } from '../../commands/refused.ts'
import { finishErasure, type ErasureNeeds } from '../../identity/erasure/finish-erasure.ts'
import type { Ports } from '../../ports.ts'
import type { AccountErasureStarted } from '../../../domain/account/erasure-events.ts'
import { requireOwnApplication } from './own-application.ts'
import { registerBot } from './register-bot.ts'

export type BotErasureNeeds = ErasureNeeds & Pick<Ports, 'addressHash' | 'readModels'>

/**
 * Deletes one of the caller's applications. Its tokens become invalid, its bot leaves its guilds, and the bot's account
 * looks deleted. If the process dies in between, a process manager erases the bot. Refuses with UNKNOWN_APPLICATION,
 * ACCESS_DENIED. See rules/applications#delete.
 */
export function deleteApplication(ports: BotErasureNeeds) {
  return async (caller: Caller, id: ApplicationId): Promise<void> => {
    const { context } = caller
    await requireOwnApplication(ports, caller, id)
    const command = { type: 'DeleteApplication', now: context.now } as const
    await ports.aggregates.application.execute(id, command, context)
    const deletion = eventIdOf(context, streamName('application', id), command.type, 0)
    await eraseBot(ports, id, followingContext(context, deletion))
  }
}

/** Erases the bot of a deleted application. Each step is safe to repeat. */
export async function eraseBot(ports: BotErasureNeeds, id: ApplicationId, context: CommandContext): Promise<void> {
  const { aggregates, queries, readModels } = ports
  const { state } = await aggregates.application.load(id)
  if (state.status !== 'deleted') return
  // The process that created the application may have died before it registered the bot.
  await registerBot(ports, state, context)
  await startErasure(ports, botOf(id), context)
  await readModels.reached(context.written)
  const step = await queries.unfinished.find('erasure', botOf(id))
  if (!step) return
  const erasing = finishingContext(step, step.process, context.now)
  const data: unknown = step.data
  await finishErasure(ports, data as AccountErasureStarted, erasing)
  await readModels.reached(erasing.written)
}

/** Reads the bot again where an administrator gives it another address at the same moment. */
async function startErasure(
  { addressHash, aggregates }: BotErasureNeeds,
  botId: AccountId,
  context: CommandContext,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const { state: bot } = await aggregates.account.load(botId)
    const email = bot.status === 'registered' ? bot.email : null
    const address = { email, addressHash: email === null ? null : addressHash(email) }
    try {
      await aggregates.account.execute(botId, { type: 'EraseBot', ...address, now: context.now }, context)
      return
    } catch (error) {
      const isConflict = error instanceof Refused && error.refusal.code === 'CONFLICT'
      if (!isConflict || attempt === attempts_max) throw error
    }
  }
}
