import { jwtSudoProofs } from '../adapters/authentication/jwt-sudo-proofs.js'
import { auditChainHash } from '../adapters/personal-data/audit-chain-hash.js'
import { blindIndex } from '../adapters/personal-data/blind-index.js'
import { blocklistSecrets } from '../application/content-rules/entry-ids.js'
import { archiveLinks } from '../application/identity/archives/download-links.js'
import { giftSecrets } from '../application/identity/gifts/gift-codes.js'
import { storeSecrets } from '../application/identity/purchases/take-notification.js'
import type { Ports } from '../application/ports.js'
import { sealedBox } from '../application/secrets/sealed-box.js'

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
  }
}

function identityHashOf(personalDataKey: Uint8Array): Ports['identityHash'] {
  const index = blindIndex(personalDataKey, 'singleSignOnIdentity')
  return (issuer, subject) => index(JSON.stringify([issuer, subject]))
}
