"""Blocks, variables and artifacts."""
from prefect import flow
from prefect.artifacts import (
    Artifact,
    create_image_artifact,
    create_link_artifact,
    create_markdown_artifact,
    create_progress_artifact,
    create_table_artifact,
    update_progress_artifact,
)
from prefect.blocks.core import Block
from prefect.blocks.system import Secret
from prefect.runtime import flow_run
from prefect.variables import Variable
from pydantic import SecretStr
from support import prefect


class Shop(Block):
    """A shop that we sell to."""

    _block_type_slug = "compat-shop"
    address: str
    token: SecretStr
    parent: "Secret | None" = None


class Chain(Block):
    _block_type_slug = "compat-chain"
    shop: Shop


Secret(value="s3cret").save("compat-token")
Secret(value="s3cret two").save("compat-token", overwrite=True)
assert Secret.load("compat-token").get() == "s3cret two"
shop = Shop(address="Bern", token="t0ken")
shop.save("bern")
Chain(shop=shop).save("all")
loaded = Chain.load("all")
assert loaded.shop.address == "Bern" and loaded.shop.token.get_secret_value() == "t0ken", loaded
assert Block.load("compat-shop/bern").address == "Bern"
assert "t0ken" not in prefect("block", "inspect", "compat-shop/bern")
assert "compat-shop" in prefect("block", "type", "ls")
Shop.delete("bern")
try:
    Shop.load("bern")
    raise AssertionError("it is still there")
except ValueError as error:
    assert "Unable to find" in str(error), error

Variable.set("compat_answer", {"n": 42})
Variable.set("compat_answer", {"n": 43}, overwrite=True)
assert Variable.get("compat_answer") == {"n": 43}
assert Variable.get("compat_nothing", default=7) == 7
try:
    Variable.set("compat_answer", 1)
    raise AssertionError("it was overwritten")
except ValueError:
    pass
assert "43" in prefect("variable", "get", "compat_answer")
Variable.unset("compat_answer")
Variable.set("compat_rates", {"rates": [1.0, 1e16, -0.0, 1]})
assert str(Variable.get("compat_rates")) == "{'rates': [1.0, 1e+16, -0.0, 1]}", "1.0 is a float"


@flow
def report():
    create_markdown_artifact("# Sales", key="sales", description="of today")
    create_table_artifact([{"city": "Bern", "sold": 40}], key="sales-table")
    create_link_artifact("https://example.com", key="more")
    create_image_artifact("https://example.com/a.png", key="picture")
    progress = create_progress_artifact(10, key="progress")
    update_progress_artifact(progress, 100)
    return flow_run.id


run_id = report()
report()
latest = Artifact.get("sales")
assert latest.data == "# Sales" and str(latest.flow_run_id) != run_id, latest
assert Artifact.get("progress").data == 100
assert "Bern" in prefect("artifact", "inspect", "sales-table")
