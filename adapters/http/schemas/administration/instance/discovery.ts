import { z } from 'zod'
import { snowflakeOutput } from '../../outputs.ts'

const address = z.url()
const nullableText = z.string().nullable()

const endpoints = z.object({
  api: address,
  api_client: address,
  api_public: address,
  gateway: address,
  media: address,
  static_cdn: address,
  marketing: address,
  admin: address,
  invite: address,
  gift: address,
  webapp: address,
})

const limitRule = z.object({
  id: z.string(),
  filters: z
    .object({
      traits: z.array(z.string()).readonly().optional(),
      guildFeatures: z.array(z.string()).readonly().optional(),
    })
    .optional(),
  overrides: z.record(z.string(), z.int()),
})

const branding = z.object({
  product_name: z.string(),
  icon_url: nullableText,
  symbol_url: nullableText,
  logo_url: nullableText,
  wordmark_url: nullableText,
  favicon_url: nullableText,
  theme_color: nullableText,
})

/** What clients learn of an instance before they sign in. Every member is always there. */
export const discoveryDocument = z
  .object({
    api_code_version: z.int(),
    endpoints,
    captcha: z.object({
      provider: z.enum(['none', 'hcaptcha', 'turnstile']),
      hcaptcha_site_key: nullableText,
      turnstile_site_key: nullableText,
    }),
    features: z.object({
      voice_enabled: z.boolean(),
      stripe_enabled: z.boolean(),
      self_hosted: z.boolean(),
      presigned_attachment_uploads: z.boolean(),
      emails_enabled: z.boolean(),
    }),
    gif: z.object({ provider: z.string(), display_name: z.string(), attribution_required: z.boolean() }),
    sso: z.object({
      enabled: z.boolean(),
      enforced: z.boolean(),
      display_name: nullableText,
      redirect_uri: z.string(),
    }),
    registration: z.object({
      mode: z.enum(['open', 'approval', 'closed']),
      admin_registration_urls_enabled: z.boolean(),
    }),
    community: z.object({
      single_community: z.boolean(),
      single_community_guild_id: snowflakeOutput.nullable(),
      direct_messages_disabled: z.boolean(),
    }),
    services: z.object({ gif_enabled: z.boolean(), youtube_enabled: z.boolean(), bluesky_enabled: z.boolean() }),
    limits: z.object({
      version: z.literal(2),
      traitDefinitions: z.array(z.string()).readonly(),
      rules: z.array(limitRule).readonly(),
      defaultsHash: z.string(),
    }),
    push: z.object({ public_vapid_key: nullableText }),
    account_identity: z.object({ mode: z.enum(['email', 'username']), tag_style: z.enum(['discriminator', 'none']) }),
    app_public: z.object({
      branding,
      setup: z.object({ configured: z.boolean(), admin_url: nullableText }),
      legal: z.object({ terms_url: nullableText, privacy_url: nullableText }),
      registration: z.object({ collect_date_of_birth: z.boolean() }),
    }),
  })
  .meta({ id: 'DiscoveryDocument' })

/** Where and how a bot connects to the Gateway. */
export const botGateway = z
  .object({
    url: address,
    shards: z.int(),
    session_start_limit: z.object({
      total: z.int(),
      remaining: z.int(),
      reset_after: z.int().meta({ description: 'Milliseconds.' }),
      max_concurrency: z.int(),
    }),
  })
  .meta({ id: 'BotGateway' })
