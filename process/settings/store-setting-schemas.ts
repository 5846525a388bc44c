import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIPv4 } from 'node:net'
import { z } from 'zod'
import {
  pinnedRootFingerprint,
  storeUrls,
  type SandboxRules,
  type StoreASetup,
  type StoreBSetup,
} from '../../adapters/stores/store-settings.ts'
import { accountId } from '../../domain/ids/ids.ts'
import { parseSnowflake } from '../../domain/ids/snowflake.ts'
import {
  kindOf,
  purchaseSlots,
  type PurchaseKind,
  type PurchaseSlot,
} from '../../domain/store-purchase/purchase-facts.ts'

const notJson = 'must be a JSON object, or the path of a file with one'

/**
 * A setting that is JSON, or the path of a file with it. Messages name the member that is wrong, and never show a value: some are
 * keys.
 */
function jsonOrFile<Value>(schema: z.ZodType<Value>) {
  return z.string().transform((text, context): Value => {
    const given = jsonIn(text)
    if (!given.ok) {
      context.addIssue({ code: 'custom', message: given.message })
      return z.NEVER
    }
    const parsed = schema.safeParse(given.value)
    if (parsed.success) return parsed.data
    const wrong = parsed.error.issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '))
    context.addIssue({ code: 'custom', message: wrong.join(', ') })
    return z.NEVER
  })
}

type Given = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string }

function jsonIn(text: string): Given {
  try {
    const isJson = text.trimStart().startsWith('{')
    return { ok: true, value: JSON.parse(isJson ? text : readFileSync(text, 'utf8')) }
  } catch (error) {
    if (error instanceof SyntaxError) return { ok: false, message: notJson }
    const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
    if (typeof code !== 'string') throw error
    return { ok: false, message: `${notJson} (${code})` }
  }
}

const name = z.string().min(1).max(256)

/** https, and http on this machine alone. Nothing but an address and a path, without the slash at its end. */
const storeUrl = z
  .string()
  .refine((text) => URL.canParse(text) && isUsable(new URL(text)), {
    message: 'must be an https URL without credentials and query, or an http URL on a loopback address',
  })
  .transform((text) => text.replace(/\/+$/, ''))

function isUsable({ protocol, hostname, username, password, search, hash }: URL): boolean {
  if ([username, password, search, hash].some((part) => part !== '')) return false
  const isLoopback =
    hostname === 'localhost' || hostname === '[::1]' || (isIPv4(hostname) && hostname.startsWith('127.'))
  return protocol === 'https:' || (protocol === 'http:' && isLoopback)
}

/** A private key as PEM. */
function privateKey(isUsableKey: (key: KeyObject) => boolean, kind: string) {
  return z.string().transform((pem, context): KeyObject => {
    const key = parsedOr(() => createPrivateKey(pem))
    if (key && isUsableKey(key)) return key
    context.addIssue({ code: 'custom', message: `must be ${kind} in PEM` })
    return z.NEVER
  })
}

/** Takes a root certificate as PEM or as base64 of DER, and keeps its fingerprint. */
const rootCertificate = z.string().transform((text, context): string => {
  const certificate = parsedOr(() => new X509Certificate(text.includes('-----') ? text : Buffer.from(text, 'base64')))
  if (certificate?.ca) return certificate.fingerprint256
  context.addIssue({ code: 'custom', message: 'must be the certificate of an authority, in PEM or base64' })
  return z.NEVER
})

/** Keys and certificates that can't be read end in errors of OpenSSL, which may quote them. */
function parsedOr<Value>(parse: () => Value): Value | undefined {
  try {
    return parse()
  } catch (error) {
    if (error instanceof Error) return undefined
    throw error
  }
}

const slotNames = z.enum(Object.keys(purchaseSlots) as [PurchaseSlot, ...PurchaseSlot[]], {
  message: `must be ${Object.keys(purchaseSlots).join(', ')}`,
})

/** At least one product; the ids of each kind have a form of their own. */
function products(form: Readonly<Record<PurchaseKind, RegExp>>, message: string) {
  return z
    .record(name, slotNames)
    .transform((slots) => new Map(Object.entries(slots)))
    .refine((slots) => slots.size > 0, { message: 'must have a product' })
    .refine((slots) => [...slots].every(([id, slot]) => form[kindOf(slot)].test(id)), { message })
}

const oneName = /^[\w.-]+$/

/** The setting STORE_A. */
export const storeASetting = jsonOrFile(
  z
    .strictObject({
      issuer_id: name,
      key_id: name,
      private_key: privateKey(
        ({ asymmetricKeyDetails: details }) => details?.namedCurve === 'prime256v1',
        'a private key of the curve P-256',
      ),
      apps: z
        .array(z.strictObject({ bundle_id: name, app_id: z.int().min(0) }))
        .min(1, { message: 'must name an app' }),
      products: products({ subscription: oneName, gift: oneName }, 'must be product ids: letters, digits, _, - and .'),
      api_url: storeUrl.default(storeUrls.storeA),
      sandbox_api_url: storeUrl.default(storeUrls.storeASandbox),
      root_certificates: z.array(rootCertificate).min(1).optional(),
    })
    .transform((given): StoreASetup => ({
      issuerId: given.issuer_id,
      keyId: given.key_id,
      privateKey: given.private_key,
      apps: given.apps.map(({ bundle_id, app_id }) => ({ bundleId: bundle_id, appId: app_id })),
      products: given.products,
      apiUrl: given.api_url,
      sandboxApiUrl: given.sandbox_api_url,
      rootFingerprints: given.root_certificates ?? [pinnedRootFingerprint],
    })),
)

/** The setting STORE_B. */
export const storeBSetting = jsonOrFile(
  z
    .strictObject({
      client_email: name,
      private_key: privateKey(({ asymmetricKeyType: type }) => type === 'rsa', 'a private RSA key'),
      packages: z.array(name.regex(oneName, { message: 'must be a package name' })).min(1, {
        message: 'must name a package',
      }),
      products: products(
        { subscription: /^[\w.-]+:[\w.-]+$/, gift: oneName },
        'must be "product:plan" for a subscription, and "product" for a gift',
      ),
      push: z.strictObject({ audience: name, email: name, jwks_url: storeUrl.default(storeUrls.storeBPushKeys) }),
      api_url: storeUrl.default(storeUrls.storeB),
      token_url: storeUrl.default(storeUrls.storeBToken),
    })
    .transform((given): StoreBSetup => ({
      clientEmail: given.client_email,
      privateKey: given.private_key,
      packages: given.packages,
      products: given.products,
      push: { audience: given.push.audience, email: given.push.email, jwksUrl: given.push.jwks_url },
      apiUrl: given.api_url,
      tokenUrl: given.token_url,
    })),
)

const accountIdText = z.string().transform((text, context) => {
  const parsed = parseSnowflake(text)
  if (parsed.ok) return accountId(parsed.id)
  context.addIssue({ code: 'custom', message: 'must be the id of an account' })
  return z.NEVER
})

/** The setting STORE_SANDBOX. */
export const storeSandboxSetting = jsonOrFile(
  z
    .strictObject({ everyone: z.boolean().default(false), accounts: z.array(accountIdText).default([]) })
    .transform(({ everyone, accounts }): SandboxRules => ({ everyone, accounts: new Set(accounts) })),
)
