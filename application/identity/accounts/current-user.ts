import type { Caller } from '../../caller.ts'
import { privateUserObject, type PrivateUserObject } from '../../wire-objects/identity/user-objects.ts'

/**
 * The caller's own account. An application that acts for it gets the neutralised form: the members that the scope
 * `identify` allows, and the address with the scope `email`.
 */
export function getCurrentUser() {
  return async ({ account, credential, context }: Caller): Promise<PrivateUserObject> => {
    const user = privateUserObject(account, context.now)
    if (credential.kind !== 'bearer') return user
    const email = credential.scopes.has('email') ? user.email : null
    const { email_bounced: _, ...shown } = user
    return { ...shown, ...neutralised, email }
  }
}

/** The neutral values that applications get for these members. */
const neutralised = {
  acls: [],
  traits: [],
  mfa_enabled: false,
  premium_since: null,
  premium_until: null,
  premium_will_cancel: false,
  premium_billing_cycle: null,
  premium_lifetime_sequence: null,
  premium_badge_hidden: false,
  premium_badge_masked: false,
  premium_badge_timestamp_hidden: false,
  premium_badge_sequence_hidden: false,
  premium_purchase_disabled: false,
  premium_enabled_override: false,
  premium_perks_disabled: false,
  password_last_changed_at: null,
  required_actions: [],
  nsfw_allowed: false,
  has_dismissed_premium_onboarding: false,
  has_ever_purchased: false,
  has_unread_gift_inventory: false,
  unread_gift_inventory_count: 0,
  pending_bulk_message_deletion: null,
} as const satisfies Partial<PrivateUserObject>
