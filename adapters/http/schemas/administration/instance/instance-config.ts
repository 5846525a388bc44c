import { z } from 'zod'
import type { InstanceConfigWishes } from '../../../../../application/administration/instance/change-instance-config.ts'
import type { PolicyChanges } from '../../../../../domain/instance/policy.ts'
import { textInput } from '../../scalars.ts'

const url = z.url({ protocol: /^https?$/ }).max(2048)
const nullableUrl = url.nullable().optional()
const nullableText = (max: number) => textInput({ min: 1, max }).nullable().optional()

/** A domain of e-mail addresses, in lower case. */
const domain = z
  .string()
  .max(253)
  .transform((text) => text.trim().toLowerCase())
  .pipe(z.string().regex(/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/))

const sso = z.object({
  enabled: z.boolean().optional().describe('Whether people can sign in by single sign-on with one OpenID provider.'),
  enforced: z
    .boolean()
    .optional()
    .describe('Whether all other ways to sign in are closed; bots and administrators at the command line stay.'),
  display_name: nullableText(100).describe('The name of the provider on the button, 1-100 characters.'),
  issuer: nullableUrl.describe("The provider's issuer. Discovery at it supplies the URLs that are null."),
  authorization_url: nullableUrl.describe('Where people are sent to sign in; null for what discovery says.'),
  token_url: nullableUrl.describe('Where the server exchanges codes; null for what discovery says.'),
  userinfo_url: nullableUrl.describe(
    'Where the server asks for e-mail addresses that the ID token lacks; null for what discovery says.',
  ),
  jwks_url: nullableUrl.describe('The keys that sign ID tokens; null for what discovery says.'),
  client_id: nullableText(1024).describe('The id of this instance at the provider.'),
  client_secret: nullableText(4096).describe(
    'The secret of this instance at the provider. It is stored sealed and never shown.',
  ),
  scope: textInput({ min: 1, max: 1024 }).optional().describe('What the server asks the provider for.'),
  allowed_domains: z
    .array(domain)
    .max(100)
    .optional()
    .describe('The domains of admitted e-mail addresses; empty admits all.'),
  auto_provision: z
    .boolean()
    .optional()
    .describe('Whether to create accounts for unknown people that the provider vouches for.'),
  redirect_uri: nullableUrl.describe(
    'Where the provider returns people to; null for /auth/sso/callback below PUBLIC_URL.',
  ),
})

const registration = z.object({
  mode: z
    .enum(['open', 'approval', 'closed'])
    .optional()
    .describe(
      'Who may register: open for everybody, approval if an operator lets each account in, closed for nobody without a registration URL.',
    ),
  admin_registration_urls_enabled: z.boolean().optional().describe('Whether registration URLs are accepted.'),
})

const accountIdentity = z.object({
  mode: z
    .enum(['email', 'username'])
    .optional()
    .describe('What people sign in with: their e-mail address or their username. Fixed by the first registration.'),
  tag_style: z
    .enum(['discriminator', 'none'])
    .optional()
    .describe(
      'discriminator for tags as in Ada#0001; none if usernames alone are unique. Fixed by the first registration.',
    ),
})

const appPublic = z.object({
  branding: z
    .object({
      product_name: textInput({ min: 1, max: 100 })
        .optional()
        .describe('What the product is called, 1-100 characters.'),
      theme_color: z
        .string()
        .regex(/^#[0-9A-Fa-f]{6}$/)
        .nullable()
        .optional()
        .describe('The colour of the product, as in #1A2B3C.'),
      status_page_url: nullableUrl.describe('Where people see whether the service is up.'),
      status_page_incident_history_url: nullableUrl.describe('Where past incidents are listed.'),
      premium_product_name: textInput({ min: 1, max: 100 })
        .optional()
        .describe('What premium is called, 1-100 characters.'),
      premium_info_url: nullableUrl.describe('Where people read about premium.'),
    })
    .optional(),
  setup: z
    .object({
      configured: z
        .boolean()
        .optional()
        .describe('Whether the setup is finished. Until then, any session can read and change the configuration.'),
    })
    .optional(),
  legal: z
    .object({
      terms_url: nullableUrl.describe('The terms that people accept when they register.'),
      privacy_url: nullableUrl.describe('The privacy policy.'),
      guidelines_url: nullableUrl.describe('The guidelines of the community.'),
    })
    .optional(),
  registration: z
    .object({
      collect_date_of_birth: z.boolean().optional().describe('Whether people give their date of birth to register.'),
    })
    .optional(),
})

const integrations = z.object({
  email: z
    .object({
      disable_new_ip_authorization: z
        .boolean()
        .optional()
        .describe('Whether people sign in from a new network without a mail that they have to confirm.'),
    })
    .optional(),
})

const service = z.boolean().nullable().optional()

const policy = z.object({
  single_community_enabled: z
    .boolean()
    .optional()
    .describe('Whether there is a single guild that everybody is in. Only the Admin API can turn it on.'),
  single_community_name: textInput({ min: 1, max: 100 })
    .optional()
    .describe('The name of the community if it has to be created, 1-100 characters.'),
  direct_messages_disabled: z.boolean().optional().describe('Whether nobody can write private messages.'),
  direct_messages_locked: z
    .literal(false)
    .optional()
    .describe(
      'Set when private messages were turned on again, and then they cannot be turned on or off. false removes the lock.',
    ),
  guild_create_access: z.boolean().optional().describe('Whether accounts may create guilds.'),
  premium_mode: z
    .enum(['mirror', 'everyone'])
    .optional()
    .describe(
      'Who counts as premium on a self-hosted instance: everyone, or with mirror the accounts that are premium.',
    ),
  services: z
    .object({
      gif_enabled: service.describe('Whether GIF search is wanted. No service is implemented: none is available.'),
      youtube_enabled: service.describe('The same for YouTube.'),
      bluesky_enabled: service.describe('The same for Bluesky.'),
    })
    .optional(),
})

/** As many members as a guild can have with the feature VERY_LARGE_GUILD. */
const minMembers_max = 10_000_000

const discovery = z.object({
  enabled: z.boolean().optional().describe('Whether there is a guild directory to apply to, search and join by.'),
  min_member_count: z
    .int()
    .min(0)
    .max(minMembers_max)
    .optional()
    .describe('How many members a guild needs to apply to the directory.'),
})

const patch = z.object({
  sso: sso.optional(),
  registration: registration.optional(),
  account_identity: accountIdentity.optional(),
  app_public: appPublic.optional(),
  integrations: integrations.optional(),
  policy: policy.optional(),
  discovery: discovery.optional(),
})

type Patch = z.output<typeof patch>

/** The changes to the instance's configuration: one optional object for each section. */
export const instanceConfigPatch = patch.transform((sections): PolicyChanges => changesOf(sections))

/** The same, with the name of the single community. */
export const instanceConfigBody = patch
  .transform((sections): InstanceConfigWishes => ({
    changes: changesOf(sections),
    communityName: sections.policy?.single_community_name ?? null,
  }))
  .meta({ id: 'InstanceConfigPatch' })

function changesOf(sections: Patch): PolicyChanges {
  const { mode, tag_style: tagStyle } = sections.account_identity ?? {}
  const { registration: registering, setup } = sections.app_public ?? {}
  const ipAuthorizationOff = sections.integrations?.email?.disable_new_ip_authorization
  return {
    singleSignOn: singleSignOnOf(sections.sso ?? {}),
    registration: given({
      mode: sections.registration?.mode,
      urlsEnabled: sections.registration?.admin_registration_urls_enabled,
      collectDateOfBirth: registering?.collect_date_of_birth,
    }),
    accountIdentity: given({ signIn: mode, tagStyle }),
    ...publicFaceOf(sections.app_public ?? {}),
    ...policyOf(sections.policy ?? {}),
    discovery: given({
      enabled: sections.discovery?.enabled,
      minMemberCount: sections.discovery?.min_member_count,
    }),
    setup: given({ configured: setup?.configured }),
    ...(ipAuthorizationOff === undefined ? {} : { ipAuthorization: !ipAuthorizationOff }),
  }
}

function publicFaceOf({ branding, legal }: z.output<typeof appPublic>): Pick<PolicyChanges, 'branding' | 'legal'> {
  return {
    legal: given({
      termsUrl: legal?.terms_url,
      privacyUrl: legal?.privacy_url,
      guidelinesUrl: legal?.guidelines_url,
    }),
    branding: given({
      productName: branding?.product_name,
      themeColor: branding?.theme_color,
      statusPageUrl: branding?.status_page_url,
      statusPageIncidentHistoryUrl: branding?.status_page_incident_history_url,
      premiumProductName: branding?.premium_product_name,
      premiumInfoUrl: branding?.premium_info_url,
    }),
  }
}

function policyOf(wishes: z.output<typeof policy>): Pick<PolicyChanges, 'community' | 'premium' | 'services'> {
  return {
    community: given({
      singleCommunity: wishes.single_community_enabled,
      directMessagesDisabled: wishes.direct_messages_disabled,
      directMessagesLocked: wishes.direct_messages_locked,
      guildCreateAccess: wishes.guild_create_access,
    }),
    premium: given({ mode: wishes.premium_mode }),
    services: given({
      gif: wishes.services?.gif_enabled,
      youtube: wishes.services?.youtube_enabled,
      bluesky: wishes.services?.bluesky_enabled,
    }),
  }
}

function singleSignOnOf(patch: z.output<typeof sso>): NonNullable<PolicyChanges['singleSignOn']> {
  return given({
    enabled: patch.enabled,
    enforced: patch.enforced,
    displayName: patch.display_name,
    issuer: patch.issuer,
    authorizationUrl: patch.authorization_url,
    tokenUrl: patch.token_url,
    userinfoUrl: patch.userinfo_url,
    jwksUrl: patch.jwks_url,
    clientId: patch.client_id,
    clientSecret: patch.client_secret,
    scope: patch.scope,
    allowedDomains: patch.allowed_domains,
    autoProvision: patch.auto_provision,
    redirectUri: patch.redirect_uri,
  })
}

/** The members that were sent. */
function given<Members extends object>(members: Members) {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    readonly [Member in keyof Members]?: Exclude<Members[Member], undefined>
  }
}
