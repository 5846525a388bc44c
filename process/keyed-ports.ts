import { jwtSudoProofs } from '../adapters/authentication/jwt-sudo-proofs.ts'
import { auditChainHash } from '../adapters/personal-data/audit-chain-hash.ts'
import { blindIndex } from '../adapters/personal-data/blind-index.ts'
import { blocklistSecrets } from '../application/content-rules/entry-ids.ts'
import { webhookSecrets } from '../application/communities/webhooks/webhook-tokens.ts'
import { archiveLinks } from '../application/identity/archives/download-links.ts'
import { giftSecrets } from '../application/identity/gifts/gift-codes.ts'
import { storeSecrets } from '../application/identity/purchases/take-notification.ts'
import type { Ports } from '../application/ports.ts'
import { sealedBox } from '../application/secrets/sealed-box.ts'

/** The ports that are derived from PERSONAL_DATA_KEY. */
export function portsKeyedBy(
  key: Uint8Array,
): Pick<
  Ports,
  | 'addressHash'
  | 'adminAuditHash'
  | 'archiveLinkBox'
  | 'blocklistBox'
  | 'giftBox'
  | 'identityHash'
  | 'storeHash'
  | 'storeBox'
  | 'sudoProofs'
  | 'webhookBox'
> {
  return {
    addressHash: blindIndex(key),
    adminAuditHash: auditChainHash(key),
    archiveLinkBox: sealedBox(key, archiveLinks),
    blocklistBox: sealedBox(key, blocklistSecrets),
    giftBox: sealedBox(key, giftSecrets),
    identityHash: identityHashOf(key),
    storeHash: blindIndex(key, 'store'),
    storeBox: sealedBox(key, storeSecrets),
    sudoProofs: jwtSudoProofs(key),
    webhookBox: sealedBox(key, webhookSecrets),
  }
}

function identityHashOf(personalDataKey: Uint8Array): Ports['identityHash'] {
  const index = blindIndex(personalDataKey, 'singleSignOnIdentity')
  return (issuer, subject) => index(JSON.stringify([issuer, subject]))
}
