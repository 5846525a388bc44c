/**
 * Values for the examples of the API page, by the name of the member. All other members get a value that follows from
 * their schema. The examples fit together: what one registers can be used in all others.
 */
export const exampleValues: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['email', 'ada@example.com'],
  ['new_email', 'ada@example.org'],
  ['username', 'ada'],
  ['discriminator', '0001'],
  ['global_name', 'Ada'],
  ['password', 'a long password'],
  ['new_password', 'another long password'],
  ['date_of_birth', '1990-12-10'],
  ['name', 'Engine'],
  ['description', 'All about the Analytical Engine.'],
  ['content', 'Hello'],
  ['image', 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='],
  ['ip', '203.0.113.7'],
  ['host', 'mail.example.com'],
  ['domain', 'spam.example'],
  ['url', 'https://spam.example/offer'],
  ['phrase', 'buy followers'],
  ['substrings', ['buy followers']],
  ['sha256_hex', 'a'.repeat(64)],
  ['hashes', ['a'.repeat(64)]],
  ['session_id_hashes', ['A'.repeat(43)]],
  ['expected_pending_deletion_at', '2026-12-10T00:00:00.000Z'],
  ['code_verifier', 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'],
  ['code_challenge', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWBZdX6aZoSPg'],
  ['code', '123456'],
  ['secret', 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'],
  ['product_id', 'premium_monthly'],
])
