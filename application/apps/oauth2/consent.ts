import { authorizationId, type ChannelId, type GuildId } from '../../../domain/ids/ids.ts'
import { parseScopes, type Scope } from '../../../domain/oauth2-authorization/scopes.ts'
import { sessionOf } from '../../access/by-session.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import type { ApplicationRecord } from '../../ports/queries/application-queries.ts'
import { consoleApplicationId } from '../console/console-application.ts'
import { issueCode } from './authorization-code.ts'
import { proofKeyOf, type AuthorizationWishes } from './authorize.ts'
import { installBot, type InstallNeeds } from '../bot-installation/install-bot.ts'
import { rejectOAuth2 } from './protocol-error.ts'
import { redirectTo, webApplication } from './redirect-to.ts'

/** What the web application sends after an account has consented. */
export interface ConsentWishes extends AuthorizationWishes {
  readonly guildId: GuildId | null
  readonly channelId: ChannelId | null
  /** The bot's permissions in the guild; undefined bits are ignored. */
  readonly permissions: bigint
}

type Needs = InstallNeeds & Pick<Ports, 'instance' | 'tickets'>

/**
 * Grants an application what it asks for, and gives the URL to redirect the browser to, with a code. With the scope
 * `bot`, adds the application's bot to a guild first. Refuses, in this order: invalid_client, invalid_scope,
 * invalid_request, then as installBot. A named channel is refused with UNKNOWN_CHANNEL or INVALID_CHANNEL_TYPE: bots
 * cannot be added to group direct messages. What the console gets ends with the caller's session. See
 * rules/applications#authorise.
 */
export function consent(ports: Needs) {
  return async (caller: Caller, wishes: ConsentWishes): Promise<{ readonly redirect_to: string }> => {
    const { account, context } = caller
    const application = await ports.queries.applications.find(wishes.clientId)
    if (!application) return rejectOAuth2('invalid_client', 'There is no such application.')
    const scopes =
      parseScopes(wishes.scope) ?? rejectOAuth2('invalid_scope', 'The scope names none, or one there is not.')
    const redirectUri = redirectUriOf(ports, application, wishes, scopes)
    if (wishes.codeChallenge === null && wishes.codeChallengeMethod !== null)
      return rejectOAuth2('invalid_request', 'A code_challenge_method needs a code_challenge.')
    const isConsole = application.id === consoleApplicationId
    if (isConsole && proofKeyOf(wishes)?.method !== 'S256')
      return rejectOAuth2('invalid_request', 'The console needs a code_challenge with the method S256.')
    if (scopes.includes('bot')) await addBot(ports, caller, application, wishes)
    const parties = { accountId: account.id, applicationId: application.id }
    const { delegationVersion } = account
    await ports.aggregates.oauth2Authorization.execute(
      authorizationId(account.id, application.id),
      { type: 'AuthorizeApplication', ...parties, scopes, delegationVersion, now: context.now },
      context,
    )
    const ofSession = isConsole ? sessionOf(caller) : undefined
    const ending = ofSession === undefined ? {} : { sessionHash: ofSession }
    const grant = { ...parties, scopes, redirectUri, proofKey: proofKeyOf(wishes), delegationVersion, ...ending }
    const code = await issueCode(ports, grant)
    return { redirect_to: redirectTo(redirectUri, { code, state: wishes.state }) }
  }
}

/** A registered URL, compared byte by byte. A request that only adds a bot may name none; it goes to the web application. */
function redirectUriOf(
  { instance }: Needs,
  { redirectUris, botRequireCodeGrant }: ApplicationRecord,
  { redirectUri }: ConsentWishes,
  scopes: readonly Scope[],
): string {
  const isBotAlone = scopes.every((scope) => scope === 'bot')
  if (redirectUri === null) {
    if (isBotAlone && !botRequireCodeGrant) return webApplication(instance)
    return rejectOAuth2('invalid_request', 'A redirect_uri is needed.')
  }
  if (redirectUris.includes(redirectUri)) return redirectUri
  return rejectOAuth2('invalid_request', 'The redirect_uri is none of those that are registered.')
}

async function addBot(
  ports: Needs,
  caller: Caller,
  application: ApplicationRecord,
  { guildId, channelId, permissions }: ConsentWishes,
): Promise<void> {
  if ((guildId === null) === (channelId === null))
    rejectOAuth2('invalid_request', 'The scope bot needs either a guild_id or a channel_id.')
  if (channelId !== null) await refuseChannel(ports, caller, channelId)
  if (guildId !== null) await installBot(ports, caller, { application, guildId, permissions })
}

/** Only members of the channel's guild learn whether the channel exists. */
async function refuseChannel({ queries }: Needs, { account }: Caller, channelId: ChannelId): Promise<never> {
  const found = await queries.guilds.findByChannel(channelId, account.id)
  return reject(found?.member ? 'INVALID_CHANNEL_TYPE' : 'UNKNOWN_CHANNEL')
}
