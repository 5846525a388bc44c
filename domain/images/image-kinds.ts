/** The kind of an image: the first part of its name in the store, and of its path below /media. */
export const imageKinds = [
  'icons',
  'banners',
  'splashes',
  'embed-splashes',
  'avatars',
  'channel-icons',
  'member-avatars',
  'member-banners',
  'branding',
  'emojis',
  'stickers',
] as const
export type ImageKind = (typeof imageKinds)[number]
