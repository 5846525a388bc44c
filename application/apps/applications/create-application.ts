import type { CreateApplication } from '../../../domain/application/commands.ts'
import type { ApplicationSettings } from '../../../domain/application/state.ts'
import { accountLimits } from '../../../domain/limits/limits.ts'
import { applicationId as applicationIdOf, botOf, type AccountId } from '../../../domain/ids/ids.ts'
import { isClaimed } from '../../access/account-standing.ts'
import { chooseUsernames } from '../../identity/accounts/registering/choose-usernames.ts'
import { claimTag, releaseTag, type ClaimedTag } from '../../identity/accounts/claim-identity.ts'
import { newBotToken } from '../../identity/tokens/bot-tokens.ts'
import type { Caller } from '../../caller.ts'
import { reject, Refused } from '../../commands/refused.ts'
import { applicationObject, type ApplicationObject } from '../../wire-objects/apps/application-objects.ts'
import type { Ports } from '../../ports.ts'
import { newSecret, secretHash } from '../../secrets/secret-hash.ts'
import { botAccountOf } from './own-application.ts'
import { registerBot } from './register-bot.ts'

type Needs = Pick<Ports, 'aggregates' | 'instance' | 'instancePolicies' | 'queries' | 'readModels' | 'reservations'>

/** Everything derived from the command alone, so that the same command sent again makes the same application. */
interface Plan {
  readonly id: CreateApplication['applicationId']
  readonly usernames: readonly string[]
  readonly botToken: string
  readonly clientSecret: string
}

/**
 * Creates an application and its bot, and shows their secrets only here. It claims the bot's tag, then creates the
 * application, then registers the bot's account. If the process dies in between, a process manager finishes or frees
 * the tag. Refuses with UNCLAIMED_ACCOUNT_CANNOT_CREATE_APPLICATIONS, MAX_APPLICATIONS, BOT_USER_GENERATION_FAILED, and
 * GONE if the same command created the application before and it was deleted. See rules/applications#create.
 */
export function createApplication(ports: Needs) {
  return async (caller: Caller, settings: ApplicationSettings): Promise<ApplicationObject> => {
    const { account, context } = caller
    if (!isClaimed(account)) reject('UNCLAIMED_ACCOUNT_CANNOT_CREATE_APPLICATIONS')
    const plan = planOf(ports, caller, settings)
    const act = (): Promise<ApplicationObject> => create(ports, caller, settings, plan)
    // An application created by an earlier try of this command is already counted.
    const earlier = context.mayRepeat ? (await ports.aggregates.application.load(plan.id)).state.status : 'absent'
    // By now others may claim its bot's tag.
    if (earlier === 'deleted') reject('GONE')
    return earlier === 'created' ? act() : withinOwnersApplications(ports, account.id, act)
  }
}

/** Runs an act that creates an application, if the account may own one more: else MAX_APPLICATIONS. */
async function withinOwnersApplications<Result extends object>(
  { queries, reservations }: Needs,
  owner: AccountId,
  act: () => Promise<Result>,
): Promise<Result> {
  const owned = {
    key: `applications of account ${owner}`,
    limit: accountLimits.maxApplications,
    count: () => queries.applications.countOf(owner),
    refuse: () => reject('MAX_APPLICATIONS'),
  }
  return reservations.within([owned], act)
}

function planOf({ instance }: Needs, { context }: Caller, { name }: ApplicationSettings): Plan {
  const id = applicationIdOf(context.newId())
  const usernames = chooseUsernames({ username: null, globalName: name }, instance.serviceName, context)
  return { id, usernames, botToken: newBotToken(id, context), clientSecret: newSecret(context) }
}

async function create(
  ports: Needs,
  caller: Caller,
  settings: ApplicationSettings,
  plan: Plan,
): Promise<ApplicationObject> {
  const { aggregates, queries, readModels } = ports
  const { account, context, locale } = caller
  const { id, botToken, clientSecret } = plan
  const tag = await claimBotTag(ports, caller, plan)
  const command: CreateApplication = {
    type: 'CreateApplication',
    applicationId: id,
    ownerId: account.id,
    ...settings,
    bot: { ...tag, locale },
    botTokenHash: secretHash(botToken),
    clientSecretHash: secretHash(clientSecret),
    delegationVersion: account.delegationVersion,
    now: context.now,
  }
  const { state } = await aggregates.application
    .execute(id, command, context, 'initial')
    .catch(async (error: unknown) => {
      if (error instanceof Refused) await releaseTag(ports, tag, botOf(id), context)
      throw error
    })
  if (state.status !== 'created') return reject('CONFLICT')
  await registerBot(ports, state, context)
  await readModels.reached(context.written)
  const application = await queries.applications.find(id)
  if (!application) return reject('CONFLICT')
  return applicationObject(application, await botAccountOf(ports, id), { botToken, clientSecret })
}

/** Making a bot fails only if no tag is left for its name. */
async function claimBotTag(ports: Needs, { context }: Caller, { id, usernames }: Plan): Promise<ClaimedTag> {
  try {
    return await claimTag(ports, usernames, botOf(id), context, { forBot: true })
  } catch (error) {
    if (error instanceof Refused && error.refusal.code === 'INVALID_FORM_BODY') reject('BOT_USER_GENERATION_FAILED')
    throw error
  }
}
