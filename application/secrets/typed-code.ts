/** What codes that people type are made of: no characters that look alike. */
export const typedCodeAlphabet = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
export const typedCode_characters = 12
