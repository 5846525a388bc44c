import { z } from 'zod'
import { nullableText, snowflakeOutput } from '../scalars.ts'
import { registrationUrlSchema, pendingRegistrationSchema } from './registration-objects.ts'
import { wireObject, type ObjectOf } from '../declaration.ts'

const notKept = 'Always null: messages have no attached files.'

const nullableFlag = z.boolean().nullable()

/** A part of the service that this instance does not have. */
const absentSchema = z.object({})

const ssoSchema = z.object({
  enabled: z.boolean().describe('Whether people sign in by an identity provider.'),
  enforced: z.boolean().describe('Whether there is no other way to sign in.'),
  display_name: nullableText,
  issuer: nullableText,
  authorization_url: nullableText.describe('Where the identity provider asks people to sign in.'),
  token_url: nullableText,
  userinfo_url: nullableText,
  jwks_url: nullableText,
  client_id: nullableText,
  client_secret_set: z.boolean().describe('Whether a secret is configured; it is never shown.'),
  scope: nullableText,
  allowed_domains: z.array(z.string()).readonly(),
  auto_provision: z.boolean().describe('Whether a first sign-on makes an account.'),
  redirect_uri: nullableText,
})

/** What everybody sees of how an instance looks. */
export const brandingMembers = {
  product_name: z.string(),
  icon_url: nullableText,
  symbol_url: nullableText,
  logo_url: nullableText,
  wordmark_url: nullableText,
  favicon_url: nullableText,
  theme_color: nullableText,
}

const brandingSchema = z.object({
  ...brandingMembers,
  status_page_url: nullableText,
  status_page_incident_history_url: nullableText,
  premium_product_name: z.string(),
  premium_info_url: nullableText,
})

const servicesSchema = z.object({
  gif_enabled: nullableFlag.describe('Whether moving images can be searched; null: as the instance is set up.'),
  youtube_enabled: nullableFlag.describe('Whether videos can be looked up; null: as the instance is set up.'),
  bluesky_enabled: nullableFlag.describe(
    'Whether accounts can be connected with Bluesky; null: as the instance is set up.',
  ),
})

const policySchema = z.object({
  single_community_enabled: z.boolean().describe('Whether there is one guild, which everybody joins.'),
  single_community_guild_id: snowflakeOutput.nullable(),
  direct_messages_disabled: z.boolean().describe('Whether nobody can write direct messages.'),
  direct_messages_locked: z.boolean().describe('Whether this can no longer change.'),
  guild_create_access: z.boolean().describe('Whether accounts may found guilds.'),
  premium_mode: z.enum(['mirror', 'everyone']),
  services: servicesSchema,
  services_resolved: z.object({
    gif_enabled: z.boolean().describe('Whether moving images can be searched.'),
    youtube_enabled: z.boolean().describe('Whether videos can be looked up.'),
    bluesky_enabled: z.boolean().describe('Whether accounts can be connected with Bluesky.'),
  }),
  services_available: z.object({
    gif: z.boolean().describe('Search for moving images.'),
    youtube: z.boolean().describe('Whether videos can be looked up.'),
    bluesky: z.boolean().describe('Whether accounts can be connected with Bluesky.'),
  }),
})

const emailSchema = z.object({
  enabled: nullableFlag.describe('Null: as the settings of the server have it.'),
  effective_enabled: z.boolean().describe('Whether it can be used now.'),
  provider: z.enum(['smtp', 'none']).nullable(),
  effective_provider: z.enum(['smtp', 'none']),
  from_email: nullableText,
  from_name: nullableText,
  smtp: z.object({
    host: nullableText,
    port: z.int().nullable(),
    username: nullableText,
    password_set: z.boolean().describe('Whether a password is configured; it is never shown.'),
    secure: nullableFlag.describe('Whether the connection begins with TLS; null: by the port.'),
  }),
  disable_new_ip_authorization: z
    .boolean()
    .describe('Whether sign-ins from new addresses need no confirmation by mail.'),
  effective_disable_new_ip_authorization: z
    .boolean()
    .describe('What holds: whether sign-ins from new addresses need no confirmation by mail.'),
})

const blueskySchema = z.object({
  enabled: nullableFlag.describe('Null: as the instance is set up.'),
  effective_enabled: z.boolean().describe('Whether it can be used now.'),
  client_name: nullableText,
  client_uri: nullableText,
  logo_uri: nullableText,
  tos_uri: nullableText,
  policy_uri: nullableText,
  key_count: z.int().describe('How many keys are configured.'),
})

const decaySchema = z.object({
  enabled: nullableFlag.describe(notKept),
  min_size_mb: z.number().nullable().describe(notKept),
  max_size_mb: z.number().nullable().describe(notKept),
  max_eligible_size_mb: z.number().nullable().describe(notKept),
  min_lifetime_days: z.number().nullable().describe(notKept),
  max_lifetime_days: z.number().nullable().describe(notKept),
  curve: z.number().nullable().describe(notKept),
  renew_threshold_days: z.number().nullable().describe(notKept),
  renew_window_days: z.number().nullable().describe(notKept),
})

/** The configuration of an instance. It holds no secret. */
export const instanceConfigSchema = wireObject('InstanceConfig', {
  sso: ssoSchema,
  gateway_rollout: absentSchema,
  push_relay: absentSchema,
  domain_migration: absentSchema,
  voice_p2p: absentSchema,
  captcha: absentSchema,
  experiment_delivery: absentSchema,
  registration: z.object({
    mode: z.enum(['open', 'approval', 'closed']),
    admin_registration_urls_enabled: z.boolean().describe('Whether administrators can make registration URLs.'),
    urls: z.array(registrationUrlSchema).readonly(),
    pending_registrations: z.array(pendingRegistrationSchema).readonly(),
  }),
  self_hosted: z.boolean().describe('Whether the instance sells nothing.'),
  account_identity: z
    .object({
      mode: z.enum(['email', 'username']),
      locked: z.boolean().describe('Whether it can no longer change, because there are accounts.'),
      tag_style: z.enum(['discriminator', 'none']),
    })
    .describe('By what people sign in.'),
  app_public: z.object({
    branding: brandingSchema,
    setup: z.object({ configured: z.boolean().describe('Whether somebody has set the instance up.') }),
    legal: z.object({ terms_url: nullableText, privacy_url: nullableText, guidelines_url: nullableText }),
    registration: z.object({
      collect_date_of_birth: z.boolean().describe('Whether registering asks for a date of birth.'),
    }),
  }),
  policy: policySchema,
  discovery: z.object({
    enabled: z.boolean().describe('Whether there is a directory of guilds.'),
    min_member_count: z.int().describe('How many members the directory asks for.'),
  }),
  integrations: z.object({
    gif: z
      .object({
        klipy_api_key_set: z.boolean().describe('Whether a key is configured; it is never shown.'),
        effective_available: z.boolean().describe('Whether it can be used now.'),
      })
      .describe('Search for moving images.'),
    youtube: z
      .object({
        api_key_set: z.boolean().describe('Whether a key is configured; it is never shown.'),
        effective_available: z.boolean().describe('Whether it can be used now.'),
      })
      .describe('Whether videos can be looked up.'),
    email: emailSchema,
    bluesky: blueskySchema.describe('Whether accounts can be connected with Bluesky.'),
  }),
  media: z.object({
    attachment_decay: decaySchema
      .extend({ effective: decaySchema.extend({ enabled: nullableFlag.describe('Always false.') }) })
      .describe('Messages have no attached files, so none is kept for a time.'),
  }),
})

export type InstanceConfigObject = ObjectOf<typeof instanceConfigSchema>
