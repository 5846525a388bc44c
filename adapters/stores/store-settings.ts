import type { KeyObject } from 'node:crypto'
import type { AccountId } from '../../domain/ids/ids.ts'
import type { PurchaseSlot } from '../../domain/store-purchase/purchase-facts.ts'

/** The setting STORE_A, once it is parsed. */
export interface StoreASetup {
  readonly issuerId: string
  readonly keyId: string
  /** P-256. */
  readonly privateKey: KeyObject
  /** At least one. */
  readonly apps: readonly { readonly bundleId: string; readonly appId: number }[]
  /** At least one; the slot of each product. */
  readonly products: ReadonlyMap<string, PurchaseSlot>
  readonly apiUrl: string
  readonly sandboxApiUrl: string
  /** Of the trusted root certificates: SHA-256 in the form of Node's `fingerprint256`. */
  readonly rootFingerprints: readonly string[]
}

/** The setting STORE_B, once it is parsed. */
export interface StoreBSetup {
  readonly clientEmail: string
  /** RSA. */
  readonly privateKey: KeyObject
  /** At least one; the first one is the default. */
  readonly packages: readonly string[]
  /** At least one: `product:plan` for a subscription, the product alone for a gift. */
  readonly products: ReadonlyMap<string, PurchaseSlot>
  readonly push: { readonly audience: string; readonly email: string; readonly jwksUrl: string }
  readonly apiUrl: string
  readonly tokenUrl: string
}

/** The setting STORE_SANDBOX: whose sandbox purchases count. */
export interface SandboxRules {
  readonly everyone: boolean
  readonly accounts: ReadonlySet<AccountId>
}

/** Apple Root CA - G3, which signs for store A. */
export const pinnedRootFingerprint =
  '63:34:3A:BF:B8:9A:6A:03:EB:B5:7E:9B:3F:5F:A7:BE:7C:4F:5C:75:6F:30:17:B3:A8:C4:88:C3:65:3E:91:79'

/** Where the stores are, unless the settings say otherwise. Without a slash at the end. */
export const storeUrls = {
  storeA: 'https://api.storekit.apple.com',
  storeASandbox: 'https://api.storekit-sandbox.apple.com',
  storeB: 'https://androidpublisher.googleapis.com',
  storeBToken: 'https://oauth2.googleapis.com/token',
  storeBPushKeys: 'https://www.googleapis.com/oauth2/v3/certs',
} as const
