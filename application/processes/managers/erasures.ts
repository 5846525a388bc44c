import { botOf, type AccountId, type ApplicationId } from '../../../domain/ids/ids.ts'
import { attempts_max } from '../../aggregates/execute.ts'
import { registerBot } from '../../apps/applications/register-bot.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { Refused } from '../../commands/refused.ts'
import { anonymiseMessages } from '../../identity/erasure/anonymise-messages.ts'
import { finishErasure } from '../../identity/erasure/finish-erasure.ts'
import type { FinishingNeeds } from '../finishing-needs.ts'
import { processManager } from '../process-manager.ts'

export const erasure = processManager({
  name: 'erasure',
  unfinished: 'The erasure of an account has started, and not everything of its holder is gone.',
  finishing: 'All that belonged to the holder is removed, step by step.',
  begins: {
    AccountErasureStarted: ({ data }) => ({ key: data.accountId, data }),
  },
  ends: {
    AccountErased: ({ data }) => [{ key: data.accountId }],
  },
  finish: (ports, { data }, context) => finishErasure(ports, data, context),
})

export const authoredMessages = processManager({
  name: 'authored_messages',
  unfinished: 'An account was erased, and its messages still have it as their author.',
  finishing: 'The messages get an anonymous author, and once more when no request of before is under way.',
  begins: {
    AccountErased: ({ data }) => ({ key: data.accountId, data }),
  },
  ends: {
    MessagesAnonymised: ({ data }) => [{ key: data.accountId }],
  },
  finish: (ports, { data }, context, limits) => anonymiseMessages(ports, data.accountId, context, limits),
  task: 'finish_authored_messages',
  isLeftToJobs: true,
})

export const botErasure = processManager({
  name: 'bot_erasure',
  unfinished: "An application was deleted, and the erasure of its bot's account has not started.",
  finishing: 'The bot is erased.',
  begins: {
    ApplicationDeleted: ({ data }) => ({ key: data.applicationId, data }),
  },
  ends: {
    AccountErasureStarted: ({ data }) => [{ key: data.accountId }],
  },
  finish: (ports, { data }, context) => eraseBot(ports, data.applicationId, context),
})

/** Erases the bot of a deleted application. Each step is safe to repeat. */
export async function eraseBot(ports: FinishingNeeds, id: ApplicationId, context: CommandContext): Promise<void> {
  const { aggregates, queries, readModels } = ports
  const { state } = await aggregates.application.load(id)
  if (state.status !== 'deleted') return
  // The process that created the application may have died before it registered the bot.
  await registerBot(ports, state, context)
  await startErasure(ports, botOf(id), context)
  await readModels.reached(context.written)
  const step = await queries.unfinished.find(erasure.name, botOf(id))
  if (step) await erasure.finish(ports, step, context.now)
}

/** Reads the bot again where an administrator gives it another address at the same moment. */
async function startErasure(
  { addressHash, aggregates }: FinishingNeeds,
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
