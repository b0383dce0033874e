/**
 * What keys look like, whoever gave them out, each with a word that any text with such a key contains: looking for the
 * word first costs next to nothing. After the rules of gitleaks and secretlint, of which only those are here that hardly
 * any other text fits.
 */
export interface SecretShape {
  hints: readonly string[];
  shape: RegExp;
  /** What stays of a match around the key. */
  masked: string;
}

export const MASKED = '[secret]';

const key = (hints: string[], shape: RegExp): SecretShape => ({ hints, shape, masked: MASKED });

export const SECRET_SHAPES: readonly SecretShape[] = [
  // OpenAI, Anthropic, DeepSeek, OpenRouter, Stripe and many who write theirs alike.
  key(['sk-', 'pk-', 'rk-'], /\b[spr]k-(?:[A-Za-z]+-)*[A-Za-z0-9_-]{20,}/g),
  key(['sk_', 'rk_', 'whsec_'], /\b(?:[sr]k_(?:live|test|prod)_|whsec_)[A-Za-z0-9]{16,}/g),
  key(['xai-', 'gsk_', 'pplx-', 'r8_', 'hf_', 'fw_'], /\b(?:xai-|gsk_|pplx-|r8_|hf_|fw_)[A-Za-z0-9]{30,}/g),
  key(['gh'], /\bgh[pousr]_[A-Za-z0-9]{30,}/g),
  key(['github_pat_'], /\bgithub_pat_[A-Za-z0-9_]{30,}/g),
  key(['gl'], /\bgl(?:pat|ptt|rt|dt|cbt|ft|imt|agent|soat|oas)-[A-Za-z0-9_-]{20,}/g),
  key(['ATATT3', 'ATCTT3', 'ATBB'], /\b(?:ATATT3|ATCTT3|ATBB)[A-Za-z0-9_=-]{20,}/g),
  key(['xox', 'xapp-', 'xwfp-'], /\b(?:xox[abceprs]|xapp|xwfp)-[A-Za-z0-9-]{10,}/g),
  key(['hooks.slack.com/'], /hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Za-z0-9+/]{40,}/g),
  key(['AKIA', 'ASIA', 'ABIA', 'ACCA'], /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/g),
  key(['bedrock-api-key-', 'ABSK'], /\b(?:bedrock-api-key-|ABSK)[A-Za-z0-9+/=]{60,}/g),
  key(['AIza'], /\bAIza[A-Za-z0-9_-]{35}/g),
  key(['ya29.', 'GOCSPX-', '1//0'], /\b(?:ya29\.|GOCSPX-|1\/\/0)[A-Za-z0-9_-]{20,}/g),
  key(['npm_', 'pypi-', 'dckr_'], /\b(?:npm_[A-Za-z0-9]{36}|pypi-AgEI[A-Za-z0-9_-]{50,}|dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,})/g),
  key(['dop_v1_', 'doo_v1_', 'dor_v1_', 'dp.'], /\b(?:do[opr]_v1_[a-f0-9]{64}|dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9._-]{40,})/g),
  key(
    ['hvs.', 'hvb.', 'AGE-SECRET-KEY-1', 'ops_eyJ'],
    /\b(?:hv[sb]\.[A-Za-z0-9_-]{24,}|AGE-SECRET-KEY-1[A-Z0-9]{58}|ops_eyJ[\w+/=]{200,})/g,
  ),
  key(['shp'], /\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b/g),
  key(['SG.'], /\bSG\.[A-Za-z0-9_-]{20,24}\.[A-Za-z0-9_-]{39,50}/g),
  key(['lin_api_', 'ntn_', 'figd_', 'PMAK-'], /\b(?:lin_api_|ntn_|figd_|PMAK-)[A-Za-z0-9_-]{30,}/g),
  key(
    ['dapi', 'glsa_', 'sntrys_', 'sbp_', 'pul-'],
    /\b(?:dapi[a-f0-9]{32}|glsa_\w{30,}|sntrys_[\w=+/]{40,}|sbp_[a-f0-9]{40}|pul-[a-f0-9]{40})/g,
  ),
  key(['eyJ'], /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g),
  {
    hints: ['earer', 'EARER', 'asic', 'ASIC'],
    shape: /\b(Bearer|Basic)([ \t]+)[A-Za-z0-9._~+/-]{16,}=*/gi,
    masked: `$1$2${MASKED}`,
  },
  { hints: ['://'], shape: /\b([a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/:@"'\\]{0,100}:[^\s/@"'\\]{3,200}@/gi, masked: `$1${MASKED}@` },
  { hints: ['AccountKey=', 'SharedAccessKey='], shape: /\b(AccountKey=|SharedAccessKey=)[A-Za-z0-9+/]{40,}=*/g, masked: `$1${MASKED}` },
  {
    hints: ['ecret', 'ECRET'],
    shape: /\b(aws[_-]?secret[_-]?access[_-]?key\\?["']?[ \t]*[=:][ \t]*\\?["']?)[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/])/gi,
    masked: `$1${MASKED}`,
  },
  key(['PRIVATE KEY'], /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g),
];
