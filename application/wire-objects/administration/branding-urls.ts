import type { BrandingAsset, BrandingPolicy } from '../../../domain/instance/policy.ts'
import type { Instance } from '../../ports.ts'

/** The URLs of the instance's branding images; null for one that is not set. */
export function brandingUrls({ publicUrl }: Pick<Instance, 'publicUrl'>, branding: BrandingPolicy) {
  const urlOf = (asset: BrandingAsset): string | null =>
    branding[asset] === null ? null : `${publicUrl}/media/branding/${asset}/${branding[asset]}`
  return {
    icon_url: urlOf('icon'),
    symbol_url: urlOf('symbol'),
    logo_url: urlOf('logo'),
    wordmark_url: urlOf('wordmark'),
    favicon_url: urlOf('favicon'),
  }
}
