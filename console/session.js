/**
 * Signing in: OpenID Connect's authorization code with PKCE, by oidc-client-ts.
 *
 * Tokens are in memory alone. A reload asks the issuer again, which knows its user; what the page showed is kept in the
 * request's state. `sessionStorage` holds what PKCE needs over that redirect, and that this tab was signed in.
 */

const { UserManager, WebStorageStateStore, InMemoryWebStorage } = globalThis.oidc;
const WAS_SIGNED_IN = "yarrow.signed-in";
const AS_OPERATOR = "as an operator"; // instead of "yes"
const SCOPE = "openid profile";

export class Session {
  #manager;
  #user = null;
  #renewal = null;

  constructor(config) {
    this.config = config;
    const here = config.redirectUri ?? location.origin + location.pathname;
    this.#manager = new UserManager({
      authority: config.issuer,
      client_id: config.clientId,
      redirect_uri: here,
      post_logout_redirect_uri: here,
      scope: SCOPE,
      loadUserInfo: false,
      monitorSession: false,
      automaticSilentRenew: false,
      userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
      stateStore: new WebStorageStateStore({ store: sessionStorage }),
    });
  }

  /** Ends a sign-in that is on its way. True if somebody is signed in, false if the page is about to be left. */
  async resume() {
    const answer = new URLSearchParams(location.search);
    if (!answer.has("state") || !(answer.has("code") || answer.has("error"))) {
      if (location.search) history.replaceState(null, "", location.pathname + location.hash);
      const before = sessionStorage.getItem(WAS_SIGNED_IN);
      if (!before) return null;
      await this.signIn(undefined, { operates: before === AS_OPERATOR });
      return false;
    }
    const address = location.href;
    history.replaceState(null, "", location.pathname);
    try {
      this.#user = await this.#manager.signinRedirectCallback(address);
    } catch (error) {
      sessionStorage.removeItem(WAS_SIGNED_IN);
      throw Object.assign(error, { isOfSignIn: true });
    }
    sessionStorage.setItem(WAS_SIGNED_IN, this.#hasScope ? AS_OPERATOR : "yes");
    const hash = this.#user.state?.hash;
    if (typeof hash === "string" && hash.startsWith("#/")) history.replaceState(null, "", location.pathname + hash);
    return true;
  }

  /** Leaves the page for the issuer's; asks for the operator's scope only if the user wants to operate. */
  async signIn(language, { operates = this.#hasScope } = {}) {
    const zoneinfo = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const extraQueryParams = this.config.issuer.endsWith("/local") ? { zoneinfo } : this.#audience();
    const scope = operates ? `${SCOPE} ${this.config.operatorScope}` : SCOPE;
    await this.#manager.signinRedirect({ state: { hash: location.hash }, ui_locales: language, scope, extraQueryParams });
  }

  async signOut() {
    sessionStorage.removeItem(WAS_SIGNED_IN);
    const { client_id, post_logout_redirect_uri } = this.#manager.settings;
    // Cognito calls it logout_uri.
    const extraQueryParams = { client_id, logout_uri: post_logout_redirect_uri };
    await this.#manager.signoutRedirect({ extraQueryParams }).catch(() => location.assign(post_logout_redirect_uri));
  }

  get claims() {
    return this.#user?.profile ?? {};
  }

  /** Whether the issuer names the user as an operator: by the scope, or by a group of Cognito. The service decides. */
  get operates() {
    const groups = this.claims["cognito:groups"];
    return this.#hasScope || (Array.isArray(groups) && groups.includes(this.config.operatorScope));
  }

  get #hasScope() {
    return this.#user?.scopes.includes(this.config.operatorScope) ?? false;
  }

  /** The bearer token; a new one where it expires within a minute, or was refused. */
  async token(refused) {
    if (refused === this.#bearer || (this.#user?.expires_in ?? 0) < 60) {
      this.#renewal ??= this.#renew().finally(() => (this.#renewal = null));
      await this.#renewal;
    }
    return this.#bearer;
  }

  get #bearer() {
    return this.#user?.[this.config.sends];
  }

  async #renew() {
    const operates = this.#hasScope;
    try {
      this.#user = await this.#manager.signinSilent();
    } catch (error) {
      if (error instanceof TypeError) throw error; // the issuer is not reached: to leave the page would lose what is written
      this.#user = null;
    }
    if (this.#user) return;
    await this.signIn(undefined, { operates }); // the issuer no longer renews: it asks the user
    await new Promise(() => {}); // the page is left
  }

  #audience() {
    return this.config.sends === "access_token" ? { audience: this.config.audience } : {};
  }
}
