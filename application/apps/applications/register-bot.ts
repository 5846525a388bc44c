import type { ApplicationOrigin } from '../../../domain/application/state.ts'
import { botOf } from '../../../domain/ids/ids.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import type { Ports } from '../../ports.ts'

/**
 * Registers the account of an application's bot. Does nothing if it is, or was, registered. The request that created the
 * application does this; if it died, a process manager does.
 */
export async function registerBot(
  { aggregates }: Pick<Ports, 'aggregates'>,
  { id, ownerId, bot, createdAt }: ApplicationOrigin,
  context: CommandContext,
): Promise<void> {
  const accountId = botOf(id)
  const { state } = await aggregates.account.load(accountId)
  if (state.status !== 'absent') return
  const nothing = { globalName: null, email: null, passwordHash: null, dateOfBirth: null, emailVerified: false }
  const command = {
    type: 'RegisterAccount',
    accountId,
    ...bot,
    ...nothing,
    botOwnerId: ownerId,
    now: createdAt,
  } as const
  await aggregates.account.execute(accountId, command, context)
}
