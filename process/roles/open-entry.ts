import type { AddressGate } from '../../adapters/http/brakes/address-gate.ts'
import { sessionTokensIn } from '../../application/identity/tokens/session-tokens.ts'
import { botTokensIn } from '../../application/identity/tokens/bot-tokens.ts'
import { aggregateOf } from '../../application/aggregates/aggregates.ts'
import type { OpenAccountNeeds } from '../../application/access/open-account.ts'
import type { BotTokens } from '../../application/ports/credentials.ts'
import type { SessionTokens } from '../../application/ports/session-tokens.ts'
import { account } from '../../domain/account/account.ts'
import type { Base } from './base.ts'
import type { CommandSide } from './open-command-side.ts'
import { openGate } from './open-gate.ts'

/** The checks that clients pass, for the API and the Gateway alike. */
export interface Entry {
  readonly sessionTokens: SessionTokens
  readonly botTokens: BotTokens
  readonly gate: AddressGate
}

/** `commands`: given if this process also serves requests, whose failures are counted. */
export async function openEntry(base: Base, commands: CommandSide | undefined): Promise<Entry> {
  const { fresh: queries, readModels } = base
  const sessionTokens = sessionTokensIn(queries.accounts)
  const botTokens = botTokensIn({
    queries,
    readModels,
    events: base.store.events,
    aggregates: commands?.ports.aggregates ?? accountsOnly(base),
  })
  return { sessionTokens, botTokens, gate: await openGate(base, commands) }
}

/** A process that is only a Gateway carries out no commands of clients, but ends a bot's ban that is over. */
function accountsOnly({ options, store }: Base): OpenAccountNeeds['aggregates'] {
  const onSnapshotFailure = (stream: string, error: unknown): void => {
    options.logger.warn({ err: error, stream }, 'a snapshot could not be written')
  }
  const { events, snapshots } = store
  return { account: aggregateOf(account, { store: events, snapshots, onSnapshotFailure }) }
}
