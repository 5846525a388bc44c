import { Gateway } from '../../client/gateway.ts'
import { isClosedAt } from '../../domain/account/decisions/decide-admission.ts'
import { hasFlag } from '../../domain/account/flags.ts'
import type { AccountId } from '../../domain/ids/ids.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'
import { openAggregates } from '../../process/aggregates.ts'
import { openWatchingGateway, type WatchingGateway } from '../../process/open-watching-gateway.ts'
import { refuseWithoutReadModels } from '../../process/read-models-fit.ts'
import { servedSettings } from '../../process/settings/served-settings.ts'
import { readSettings } from '../../process/settings/settings.ts'
import type { Store } from '../../process/store.ts'
import { accountQueries } from '../../projections/accounts/queries.ts'
import type { PostgresConnection } from '../../adapters/postgres/database.ts'
import type { GatewayLog } from '../../gateway/log.ts'
import { instancePolicyIn } from '../instance-config.ts'
import { reasonIn } from '../operator/act-on.ts'
import { actAsOperator } from '../operator/act-as-operator.ts'
import { identifyAsWatcher, printDispatches, type Say } from '../watch/print-dispatches.ts'
import { accountNamed, nobody } from './account-named.ts'
import { sayingOutages, type SaidOutages } from '../watch/said-outages.ts'
import { besideServer } from './beside.ts'

export interface WatchAccountOptions {
  readonly json?: boolean
  /** For the audit log. */
  readonly reason?: string
}

/**
 * Prints what the Gateway would tell an account, until the command is interrupted, after an entry in the admin audit log. Nothing
 * begins for the account, and nobody sees it come.
 */
export async function watchAccount(
  who: string,
  { json, ...options }: WatchAccountOptions,
  print: Say,
  say: Say,
): Promise<void> {
  const reason = reasonIn(options)
  const outages = sayingOutages(say)
  const watchIn = async (store: Store, connection: PostgresConnection): Promise<void> => {
    await refuseWithoutReadModels(store)
    const account = await accountNamed(who, store, openAggregates({ store: store.events, snapshots: store.snapshots }))
    await refuseClosed(account, who, store)
    const target = { type: 'user', id: account }
    await actAsOperator(store, { action: 'get_user_dispatches', target, reason, run: async () => undefined })
    const watching = await gatewayFor(account, store, connection, outages)
    try {
      const { gatewayUrl, token, closed } = watching
      const gateway = new Gateway({ gatewayUrl, token, ...identifyAsWatcher(say) })
      closed.addEventListener('abort', () => gateway.close())
      await printDispatches(gateway, { isJson: json === true, refused: closedText(who) }, print)
      if (closed.aborted) throw new Error(closedText(who))
    } finally {
      await watching.close()
    }
  }
  try {
    await besideServer(watchIn, { onError: outages.report })
  } finally {
    outages.close()
  }
}

async function gatewayFor(
  account: AccountId,
  store: Store,
  connection: PostgresConnection,
  { report }: SaidOutages,
): Promise<WatchingGateway> {
  const served = await servedSettings(store)
  const settings = { ...readSettings(process.env), ...served, instancePolicy: instancePolicyIn(served) }
  const log: GatewayLog = {
    debug: () => undefined,
    warn: ({ error }, message) => report(error ?? message),
    error: ({ error }, message) => report(error ?? message),
  }
  return openWatchingGateway({ store, connection, settings, account, log, onError: report })
}

async function refuseClosed(account: AccountId, who: string, { database }: Store): Promise<void> {
  const found = await accountQueries(database).find(account)
  if (!found) throw nobody(who)
  if (hasFlag(found, 'DELETED')) throw new Error(`Account ${who} is deleted: the Gateway tells it nothing`)
  if (isClosedAt(found, timestamp(Date.now()))) throw new Error(closedText(who))
}

const closedText = (who: string): string =>
  `Account ${who} is closed, by a ban, by its holder or by its deletion: the Gateway tells it nothing`
