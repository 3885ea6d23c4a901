"""Models and the states of their downloads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ._enums import ModelAccessibility, ModelSpecialization, ToolSupport
from ._html import table
from ._unions import DownloadPhase


@dataclass(frozen=True)
class ModelVendor:
    """Who made a family of models."""

    identifier: str
    name: str


@dataclass(frozen=True)
class ModelFamily:
    """Models of one name in several sizes."""

    identifier: str
    name: str
    vendor: ModelVendor


@dataclass(frozen=True)
class ModelRegistry:
    """Where a model is known from."""

    identifier: str
    name: str


@dataclass(frozen=True)
class ModelProperties:
    """What tells models of a family apart."""

    size: str
    version: str | None = None


@dataclass(frozen=True)
class ModelQuantization:
    """How the weights were rounded."""

    method: str
    bits_per_weight: float


@dataclass(frozen=True)
class ModelCapabilities:
    """What a model on this machine can do."""

    chat: bool
    """Whether it has a chat template."""
    reasoning: bool
    """Whether its template knows a reasoning mode."""
    tools: ToolSupport
    context_length: int
    """Most tokens of a conversation."""


@dataclass(frozen=True)
class Model:
    """A model that the engine knows. A model given by path has its absolute path as identifier."""

    identifier: str
    name: str
    registry: ModelRegistry
    backends: Sequence[str]
    family: ModelFamily | None
    properties: ModelProperties | None
    quantization: ModelQuantization | None
    specializations: Sequence[ModelSpecialization]
    accessibility: ModelAccessibility
    is_downloadable: bool

    @property
    def is_local(self) -> bool:
        """Whether it runs on this machine."""
        return self.accessibility is ModelAccessibility.Local

    @property
    def is_remote(self) -> bool:
        """Whether it runs elsewhere."""
        return self.accessibility is ModelAccessibility.Remote

    @property
    def is_chat_capable(self) -> bool:
        """Whether it was made for conversations."""
        return ModelSpecialization.Chat in self.specializations

    @property
    def is_quantized(self) -> bool:
        """Whether its weights were rounded."""
        return self.quantization is not None

    def _repr_html_(self) -> str:
        family, rounded = self.family, self.quantization
        bits = None if rounded is None else f"{rounded.method}, {rounded.bits_per_weight:g} bits a weight"
        return table(
            [
                ("Model", self.name),
                ("Identifier", self.identifier),
                ("Vendor", None if family is None else family.vendor.name),
                ("Family", None if family is None else family.name),
                ("Size", None if self.properties is None else self.properties.size),
                ("Quantization", bits),
                ("Made for", ", ".join(each.name for each in self.specializations) or None),
                ("Registry", self.registry.name),
                ("Runs", "on this machine" if self.is_local else "elsewhere"),
            ]
        )


@dataclass(frozen=True)
class DownloadState:
    """Where the download of a model stands."""

    total_bytes: int
    downloaded_bytes: int
    phase: DownloadPhase
    progress: float
    """From 0 to 1."""

    @property
    def name(self) -> str:
        """The phase as people read it."""
        return "Not Downloaded" if not self.can_delete else type(self.phase).__name__

    @property
    def is_in_progress(self) -> bool:
        """Whether bytes are coming."""
        return isinstance(self.phase, DownloadPhase.Downloading)

    @property
    def can_pause(self) -> bool:
        """Whether there is something to pause."""
        return self.is_in_progress

    @property
    def can_delete(self) -> bool:
        """Whether there is something to delete."""
        return not isinstance(self.phase, DownloadPhase.NotDownloaded)


@dataclass(frozen=True)
class DownloaderStreamUpdate:
    """How far a download is."""

    bytes_total: int
    bytes_downloaded: int
    progress: float
    """From 0 to 1."""


def vendor_of(json_object: dict[str, Any]) -> ModelVendor:
    return ModelVendor(**json_object)


def family_of(json_object: dict[str, Any]) -> ModelFamily:
    return ModelFamily(json_object["identifier"], json_object["name"], vendor_of(json_object["vendor"]))


def registry_of(json_object: dict[str, Any]) -> ModelRegistry:
    return ModelRegistry(**json_object)


def model_of(json_object: dict[str, Any]) -> Model:
    family, properties, quantization = (json_object[key] for key in ("family", "properties", "quantization"))
    return Model(
        identifier=json_object["identifier"],
        name=json_object["name"],
        registry=registry_of(json_object["registry"]),
        backends=tuple(json_object["backends"]),
        family=None if family is None else family_of(family),
        properties=None if properties is None else ModelProperties(**properties),
        quantization=None if quantization is None else ModelQuantization(**quantization),
        specializations=tuple(ModelSpecialization(each) for each in json_object["specializations"]),
        accessibility=ModelAccessibility(json_object["accessibility"]),
        is_downloadable=json_object["is_downloadable"],
    )


def capabilities_of(json_object: dict[str, Any]) -> ModelCapabilities:
    return ModelCapabilities(**{**json_object, "tools": ToolSupport(json_object["tools"])})


def state_of(json_object: dict[str, Any]) -> DownloadState:
    phases = {
        "not_downloaded": DownloadPhase.NotDownloaded(),
        "downloading": DownloadPhase.Downloading(),
        "paused": DownloadPhase.Paused(),
        "downloaded": DownloadPhase.Downloaded(),
        "locked": DownloadPhase.Locked(),
        "error": DownloadPhase.Error(json_object["message"] or ""),
    }
    return DownloadState(
        total_bytes=json_object["bytes_total"],
        downloaded_bytes=json_object["bytes_downloaded"],
        phase=phases[json_object["phase"]],
        progress=json_object["progress"],
    )
