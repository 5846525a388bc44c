import { authorizationId, botOf, type ApplicationId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import { authorizationObject, type AuthorizationObject } from '../../wire-objects/apps/oauth2-objects.ts'
import type { Ports } from '../../ports.ts'
import { endCodes } from './authorization-code.ts'

type Needs = Pick<Ports, 'aggregates' | 'queries' | 'tickets'>

/** The applications that the caller has authorised, by id. */
export function listAuthorizations({ queries }: Pick<Ports, 'queries'>) {
  return async ({ account }: Caller): Promise<readonly AuthorizationObject[]> => {
    const held = await queries.oauth2.authorizationsOf(account)
    const ids = held.map(({ applicationId }) => applicationId)
    const applications = await queries.applications.findMany(ids)
    const bots = await queries.accounts.findMany(ids.map(botOf))
    return held.flatMap((authorization) => {
      const application = applications.find(({ id }) => id === authorization.applicationId)
      const bot = bots.find((each) => each.bot && each.id === botOf(authorization.applicationId))
      return application ? [authorizationObject(authorization, application, bot)] : []
    })
  }
}

/**
 * Revokes the caller's authorisation of an application: its tokens and codes become invalid. Refuses with
 * UNKNOWN_APPLICATION if there is none.
 */
export function revokeAuthorization(ports: Needs) {
  return async (caller: Caller, application: ApplicationId): Promise<void> => {
    const isHeld = await ports.queries.oauth2.authorization(caller.account, application)
    if (!isHeld) reject('UNKNOWN_APPLICATION')
    await revoke(ports, caller, application)
  }
}

/** The same for several applications; those without an authorisation are skipped. */
export function revokeAuthorizations(ports: Needs) {
  return async (caller: Caller, applications: readonly ApplicationId[]): Promise<void> => {
    for (const application of new Set(applications)) {
      if (await ports.queries.oauth2.authorization(caller.account, application))
        await revoke(ports, caller, application)
    }
  }
}

async function revoke(ports: Needs, { account, context }: Caller, applicationId: ApplicationId): Promise<void> {
  await endCodes(ports, { accountId: account.id, applicationId })
  const command = { type: 'RevokeAuthorization', by: 'account', now: context.now } as const
  await ports.aggregates.oauth2Authorization.execute(authorizationId(account.id, applicationId), command, context)
}
