import type { GuildId } from '../ids/ids.ts'

/** How accounts can be registered on the instance. */
export interface RegistrationPolicy {
  /** `approval`: an operator must approve each account. `closed`: only registration URLs admit. */
  readonly mode: 'open' | 'approval' | 'closed'
  /** Whether registration URLs are accepted. */
  readonly urlsEnabled: boolean
  /** Whether a date of birth is required. */
  readonly collectDateOfBirth: boolean
}

/** The identity of accounts. */
export interface AccountIdentityPolicy {
  /** The name to sign in with. */
  readonly signIn: 'email' | 'username'
  /** `none`: usernames alone are unique, and every person has discriminator 0. */
  readonly tagStyle: 'discriminator' | 'none'
}

/** Single sign-on with one OpenID provider. Discovery at the issuer supplies values that are null. */
export interface SingleSignOnPolicy {
  readonly enabled: boolean
  /** Whether all other ways to sign in are closed: SSO_REQUIRED (rules/credentials#gate-of-single-sign-on). */
  readonly enforced: boolean
  readonly displayName: string | null
  readonly issuer: string | null
  readonly authorizationUrl: string | null
  readonly tokenUrl: string | null
  readonly userinfoUrl: string | null
  readonly jwksUrl: string | null
  readonly clientId: string | null
  /** Sealed with the instance's key in events. */
  readonly clientSecret: string | null
  readonly scope: string
  /** Lower-case domains of admitted addresses; empty admits all. */
  readonly allowedDomains: readonly string[]
  /** Whether to create accounts for unknown persons that the provider vouches for. */
  readonly autoProvision: boolean
  /** The URL to which the provider returns people; null for `<public URL>/auth/sso/callback`. */
  readonly redirectUri: string | null
}

/** The documents that people accept when they register. */
export interface LegalPolicy {
  readonly termsUrl: string | null
  readonly privacyUrl: string | null
  readonly guidelinesUrl: string | null
}

/** Guilds and private channels on the instance. */
export interface CommunityPolicy {
  /** Whether there is a single guild that everybody is in. */
  readonly singleCommunity: boolean
  /** The guild designated as the single one, even while there may be others. */
  readonly guildId: GuildId | null
  readonly directMessagesDisabled: boolean
  /** Set when private messages were turned on again: they cannot be turned on or off until it is cleared. */
  readonly directMessagesLocked: boolean
  /** Whether accounts may create guilds. */
  readonly guildCreateAccess: boolean
}

/** Which accounts count as premium on a self-hosted instance. */
export interface PremiumPolicy {
  /** `everyone`: all accounts. `mirror`: accounts that are premium. */
  readonly mode: 'mirror' | 'everyone'
}

/** Third-party services; null if it depends on whether they are configured. */
export interface ServicesPolicy {
  readonly gif: boolean | null
  readonly youtube: boolean | null
  readonly bluesky: boolean | null
}

/** The branding images of the instance. */
export const brandingAssets = ['icon', 'symbol', 'logo', 'wordmark', 'favicon'] as const
export type BrandingAsset = (typeof brandingAssets)[number]

/** The instance's names, and the hashes of its images: null for none. */
export interface BrandingPolicy extends Readonly<Record<BrandingAsset, string | null>> {
  /** Null for the service's own name. */
  readonly productName: string | null
  /** `#` and six hexadecimal digits. */
  readonly themeColor: string | null
  readonly statusPageUrl: string | null
  readonly statusPageIncidentHistoryUrl: string | null
  readonly premiumProductName: string | null
  readonly premiumInfoUrl: string | null
}

/** The guild directory, as the instance offers it. */
export interface DiscoveryPolicy {
  /** Whether guilds can apply, be searched and be joined by the directory. */
  readonly enabled: boolean
  /** How many members a guild needs to apply. */
  readonly minMemberCount: number
}

/** Whether an operator has finished the setup. Until then any session can access the configuration. */
export interface SetupPolicy {
  readonly configured: boolean
}

/** The policy of the instance, which can be changed while it runs. */
export interface InstancePolicy {
  readonly registration: RegistrationPolicy
  readonly accountIdentity: AccountIdentityPolicy
  /** Whether signing in from a new network takes a mail; only where mail is sent. */
  readonly ipAuthorization: boolean
  readonly singleSignOn: SingleSignOnPolicy
  readonly legal: LegalPolicy
  readonly community: CommunityPolicy
  readonly premium: PremiumPolicy
  readonly services: ServicesPolicy
  readonly branding: BrandingPolicy
  readonly discovery: DiscoveryPolicy
  readonly setup: SetupPolicy
}

/** Parts of a policy: for each section, the members that differ from the policy below. */
export type PolicyChanges = {
  readonly [Section in keyof InstancePolicy]?: Partial<InstancePolicy[Section]>
}

/** A policy with changes laid over it. */
export function policyWith(policy: InstancePolicy, changes: PolicyChanges): InstancePolicy {
  return {
    registration: { ...policy.registration, ...changes.registration },
    accountIdentity: { ...policy.accountIdentity, ...changes.accountIdentity },
    ipAuthorization: changes.ipAuthorization ?? policy.ipAuthorization,
    singleSignOn: { ...policy.singleSignOn, ...changes.singleSignOn },
    legal: { ...policy.legal, ...changes.legal },
    community: { ...policy.community, ...changes.community },
    premium: { ...policy.premium, ...changes.premium },
    services: { ...policy.services, ...changes.services },
    branding: { ...policy.branding, ...changes.branding },
    discovery: { ...policy.discovery, ...changes.discovery },
    setup: { ...policy.setup, ...changes.setup },
  }
}
