/** Members of the instance's configuration and discovery document, of purchases, and the numbers of administration. */
export const instanceMeanings: Readonly<Record<string, string>> = {
  account_identity: 'By what people sign in.',
  'discovery.enabled': 'Whether there is a directory of guilds.',
  'sso.enabled': 'Whether people sign in by an identity provider.',

  // What numbers stand for.
  'guild_folders.color': '24 bits of RGB; null for none.',
  'Generate gift codes.count': 'How many codes.',
  'Test mail server.port': 'The port of the mail server.',
}
