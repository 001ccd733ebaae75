"""An authorizer that verifies tokens with the product's code, and plays every other part when told to by the token."""

from yarrow.web.tokens import InvalidTokenError, identify

calls = 0


def handler(event, context):
    global calls
    calls += 1
    effect, resource = "Allow", event["methodArn"].split("/")[0] + "/*"
    match event["headers"]["authorization"]:
        case "deny":
            effect = "Deny"
        case "narrow":
            resource = event["methodArn"].split("/")[0] + "/live/GET/elsewhere"
        case "crash":
            raise RuntimeError("the authorizer is broken")
        case "nonsense":
            return {"principalId": "nobody"}
        case authorization if not authorization.startswith("plain"):
            try:
                return policy(identify(authorization).user_id, effect, resource)
            except InvalidTokenError:
                raise Exception("Unauthorized") from None  # noqa: TRY002 (API Gateway's word for a 401)
    return policy("somebody", effect, resource)


def policy(user, effect, resource):
    statement = {"Action": "execute-api:Invoke", "Effect": effect, "Resource": resource}
    return {
        "principalId": user,
        "policyDocument": {"Version": "2012-10-17", "Statement": [statement]},
        "context": {"user": user, "calls": calls, "verified": True},
    }
